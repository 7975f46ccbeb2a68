package trial

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// overhearFor is how long, at most, a server is listened to that did not answer as it should.
const overhearFor = 5 * time.Second

// overhear makes the first calls once more, through a relay, and says what comes back. A
// framework's own error often says only that there is no connection.
func overhear(s load.Settings, t plan.Target) string {
	tap, err := newTap(t.Given)
	if err != nil {
		return ""
	}
	defer tap.close()
	s.Watchdog = min(s.Watchdog, overhearFor)
	t.Given = tap.listener.Addr().String()
	done := make(chan struct{})
	go func() {
		greet(&s, t) // fails as before
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(s.Watchdog):
	}
	return tap.heard.String()
}

// tap is a relay to a server. It keeps the first bytes of what it relays.
type tap struct {
	listener net.Listener
	server   string
	heard    heard

	mu     sync.Mutex
	open   []net.Conn
	closed bool
}

// heard is what went over the connections of a client.
type heard struct {
	mu         sync.Mutex
	sent, came []byte // the first bytes
	end        error  // how the server ended a connection first; nil if it did not
}

// heardBytes is how many bytes of each direction are kept.
const heardBytes = 64

func newTap(server string) (*tap, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	t := &tap{listener: l, server: server}
	go t.accept()
	return t, nil
}

func (t *tap) accept() {
	for {
		near, err := t.listener.Accept()
		if err != nil {
			return
		}
		go t.relay(near)
	}
}

func (t *tap) relay(near net.Conn) {
	defer near.Close()
	far, err := net.DialTimeout("tcp", t.server, overhearFor)
	if err != nil {
		return
	}
	defer far.Close()
	t.add(near, far)
	go func() {
		io.Copy(io.MultiWriter(t.heard.keep(&t.heard.sent), far), near)
		far.Close()
	}()
	_, err = io.Copy(io.MultiWriter(t.heard.keep(&t.heard.came), near), far)
	t.heard.ended(err)
}

// add has close close connections. They are few, so those that have ended stay in the list.
func (t *tap) add(conns ...net.Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = append(t.open, conns...)
	if t.closed {
		closeAll(t.open)
	}
}

func (t *tap) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.listener.Close()
	closeAll(t.open)
}

func closeAll(conns []net.Conn) {
	for _, c := range conns {
		c.Close()
	}
}

// keep returns a writer that keeps the first bytes in a field of h.
func (h *heard) keep(field *[]byte) io.Writer { return keeper{h, field} }

type keeper struct {
	*heard
	field *[]byte
}

// Write implements io.Writer.
func (k keeper) Write(b []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	*k.field = append(*k.field, b[:min(len(b), heardBytes-len(*k.field))]...)
	return len(b), nil
}

// ended notes the end of a connection by the server; err is nil for an orderly one.
func (h *heard) ended(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.end != nil || errors.Is(err, net.ErrClosed): // this side ended it
	case errors.Is(err, syscall.ECONNRESET):
		h.end = err
	default:
		h.end = io.EOF
	}
}

// String says what came, as the end of a sentence; "" if that says nothing.
func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case len(h.came) > 0:
		return "; " + saidOf(h.sent, h.came)
	case errors.Is(h.end, syscall.ECONNRESET):
		return "; it resets the connection without an answer"
	case h.end != nil:
		return "; it closes the connection without an answer"
	}
	return "; it sends nothing"
}

// saidOf says what the first bytes are that came from a server.
func saidOf(sent, came []byte) string {
	first, _, lines := strings.Cut(string(came), "\n")
	n := min(len(sent), len(came))
	switch {
	case n >= 4 && bytes.Equal(sent[:n], came[:n]):
		return "it sends back what it is sent: is it an echo server?"
	case strings.HasPrefix(first, "HTTP/1"):
		return fmt.Sprintf("it answers in HTTP/1: %q", strings.TrimSpace(first))
	case len(came) > 2 && came[0] == tlsAlert && came[1] == 3:
		return "it answers in TLS"
	case strings.HasPrefix(first, "INFO {"):
		return "a NATS broker answers there"
	case lines && isText(first):
		return fmt.Sprintf("it answers %q", strings.TrimSpace(first))
	}
	return fmt.Sprintf("its answer begins with %q", came[:min(len(came), 16)])
}

// tlsAlert is the first byte of a TLS server's answer to what is not TLS; the next one is
// the major version, 3.
const tlsAlert = 21

func isText(s string) bool {
	return !strings.ContainsFunc(strings.TrimSpace(s), func(r rune) bool { return !unicode.IsPrint(r) })
}
