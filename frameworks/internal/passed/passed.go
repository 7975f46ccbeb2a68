// Package passed records what passes between the client and the server of a variant, for tests
// that count bytes.
package passed

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// Bytes is what passed one way, and the other.
type Bytes struct{ Sent, Received []byte }

// Calls makes calls with an empty payload by a client with one connection, one after the other,
// and returns what passed until each had returned; first is what passed before, in Dial. A
// deadline of ctx may be part of what passes.
func Calls(ctx context.Context, v framework.Variant, calls int) (first Bytes, each []Bytes, err error) {
	server, err := v.Serve("127.0.0.1:0")
	if err != nil {
		return first, nil, err
	}
	defer server.Close()
	t, err := newTap(server.Addr())
	if err != nil {
		return first, nil, err
	}
	defer t.l.Close()
	c, err := v.Dial(t.l.Addr().String(), framework.DialOptions{Conns: 1, Callers: 1})
	if err != nil {
		return first, nil, err
	}
	defer c.Close()
	first = t.taken()
	echo := c.Echo([]framework.EchoMessage{{Action: handler.ActionEcho}}, func(int, framework.EchoMessage) error { return nil })
	for range calls {
		err = errors.Join(err, echo(ctx, 0))
		each = append(each, t.taken())
	}
	return first, each, err
}

// tap is a proxy that records.
type tap struct {
	l net.Listener

	mu             sync.Mutex
	sent, received bytes.Buffer
}

func newTap(server string) (*tap, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	t := &tap{l: l}
	go t.serve(server)
	return t, nil
}

func (t *tap) serve(server string) {
	for {
		near, err := t.l.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", server)
		if err != nil {
			near.Close()
			continue
		}
		go t.pass(far, near, &t.sent)
		go t.pass(near, far, &t.received)
	}
}

// pass copies from one connection to another, until one is closed, and records before it
// writes.
func (t *tap) pass(to, from net.Conn, record *bytes.Buffer) {
	defer to.Close()
	io.Copy(to, io.TeeReader(from, locked{&t.mu, record}))
}

// taken returns what has passed since it was called before.
func (t *tap) taken() Bytes {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := Bytes{bytes.Clone(t.sent.Bytes()), bytes.Clone(t.received.Bytes())}
	t.sent.Reset()
	t.received.Reset()
	return b
}

// locked writes while it holds a mutex.
type locked struct {
	mu *sync.Mutex
	w  io.Writer
}

// Write implements io.Writer.
func (l locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
