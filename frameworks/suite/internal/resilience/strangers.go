package resilience

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/trial"
)

// Strangers sees that servers of another protocol are refused in time, with a sentence that
// has the address and the reason. Of a variant with StaysOpen connections to them stay open.
// frames are answers with which a server of the protocol could begin.
func Strangers(t tester.T, v framework.Variant, frames [][]byte) {
	all := strangers()
	for _, frame := range frames {
		all = append(all, stranger{about: fmt.Sprintf("it begins a frame with %x", frame), serve: func(c net.Conn) { c.Write(frame); io.Copy(io.Discard, c) }})
	}
	var wg sync.WaitGroup // not t.Parallel, because they wait more than they work
	for _, s := range all {
		wg.Go(func() { t.Run(s.about, func(t tester.T) { isRefused(t, v, s) }) })
	}
	wg.Wait()
	t.Run("nobody listens", func(t tester.T) {
		addr, stop := tester.Serve(t, func(net.Conn) {})
		stop()
		assert.ErrorContains(t, trial.GreetAt(v, addr, patience), addr+": nobody listens there: dial tcp "+addr+": connect: connection refused")
	})
}

// patience is how long a stranger may take to answer at first.
const patience = time.Second

// stranger is a server that is not one of the variant's protocol.
type stranger struct {
	about string
	serve func(net.Conn)
	say   []string // texts of which the error has one; none if any error will do
}

func strangers() []stranger {
	const closes = "it closes the connection without an answer"
	return []stranger{
		{"it never answers", func(c net.Conn) { io.Copy(io.Discard, c) }, []string{"; it sends nothing"}},
		{"it closes at once", func(net.Conn) {}, []string{closes, "it resets the connection without an answer"}},
		{"it speaks HTTP", answering("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), []string{`it answers in HTTP/1: "HTTP/1.1 400 Bad Request"`}},
		{"it greets as a mail server does", answering("220 mail.example.com ESMTP\r\n"), []string{`it answers "220 mail.example.com ESMTP"`}},
		{"it answers with garbage", answering("\x81\x00\x93\xfe\xe7garbage garbage"), []string{`its answer begins with "\x81\x00\x93\xfe\xe7garbage gar"`}},
		{"it speaks TLS", func(c net.Conn) { tls.Server(c, new(tls.Config)).Handshake() }, []string{"it answers in TLS", closes, "Client sent an HTTP request to an HTTPS server"}},
		{"it sends back what it is sent", func(c net.Conn) { io.Copy(c, c) }, []string{"is it an echo server?"}},
	}
}

// answering sends an answer as soon as something comes, and then waits.
func answering(text string) func(net.Conn) {
	return func(c net.Conn) {
		if _, err := c.Read(make([]byte, 1)); err != nil {
			return
		}
		io.WriteString(c, text)
		io.Copy(io.Discard, c)
	}
}

func isRefused(t tester.T, v framework.Variant, s stranger) {
	addr, stop := tester.Serve(t, s.serve)
	defer stop()
	var err error
	says := func() bool { return s.say == nil || containsAny(err.Error(), s.say) }
	for wait := patience; wait == patience || !says() && wait < tester.Enough; wait *= 2 { // longer on a busy machine
		begin := time.Now()
		err = trial.GreetAt(v, addr, wait)
		assert.Less(t, time.Since(begin), 2*wait+tester.Enough)
		require.ErrorContains(t, err, v.ID()+" at "+addr+": ")
	}
	assert.True(t, says(), "%v", err)
	t.Logf("%v", err)
	assert.Eventually(t, func() bool { return v.StaysOpen || connections(addr) == 0 }, tester.Enough, 10*time.Millisecond, "%d connections are left open", connections(addr))
}

// connections counts the connections of this process to an address; 0 if the system does not
// tell.
func connections(addr string) int {
	n, _ := sockets.Connections(addr, os.Getpid())
	return n
}

func containsAny(s string, list []string) bool {
	for _, text := range list {
		if strings.Contains(s, text) {
			return true
		}
	}
	return false
}
