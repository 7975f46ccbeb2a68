package idle

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// server echoes payloads of two bytes, and counts its connections.
type server struct {
	net.Listener
	most     int64 // connections that it accepts
	accepted atomic.Int64
	calls    atomic.Int64
	held     sync.RWMutex // locked while it does not answer
}

func newServer(t *testing.T, most int64) *server {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &server{Listener: l, most: most}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if s.accepted.Add(1) > s.most {
				c.Close()
				continue
			}
			t.Cleanup(func() { c.Close() })
			go s.echo(c)
		}
	}()
	return s
}

func (s *server) echo(c net.Conn) {
	var payload [2]byte
	for {
		if _, err := io.ReadFull(c, payload[:]); err != nil {
			return
		}
		s.held.RLock()
		s.calls.Add(1)
		s.held.RUnlock()
		c.Write(payload[:])
	}
}

func (s *server) addr() string { return s.Listener.Addr().String() }

func (s *server) hold() (release func() error, err error) {
	s.held.Lock()
	return func() error { s.held.Unlock(); return nil }, nil
}

// client has connections that its workers share, or a pool of them.
type client struct {
	addr   string
	pooled bool
	mu     sync.Mutex
	idle   []net.Conn
	shared []net.Conn
	opened *atomic.Int64
}

func (c *client) dial() (net.Conn, error) {
	conn, err := net.Dial("tcp", c.addr)
	if err == nil {
		c.opened.Add(1)
	}
	return conn, err
}

func (c *client) take() (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if last := len(c.idle) - 1; last >= 0 {
		conn := c.idle[last]
		c.idle = c.idle[:last]
		return conn, nil
	}
	return c.dial()
}

func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return func(_ context.Context, worker int) error {
		if !c.pooled {
			return exchange(c.shared[worker], worker, requests, check)
		}
		conn, err := c.take()
		if err != nil {
			return err
		}
		err = exchange(conn, worker, requests, check)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.idle = append(c.idle, conn)
		return err
	}
}

func exchange(c net.Conn, worker int, requests []framework.EchoMessage, check framework.EchoCheck) error {
	reply := make([]byte, len(requests[worker].Msg))
	if _, err := c.Write(requests[worker].Msg); err != nil {
		return err
	}
	if _, err := io.ReadFull(c, reply); err != nil {
		return err
	}
	return check(worker, framework.EchoMessage{Msg: reply})
}

func (c *client) Close() error {
	for _, conn := range append(c.idle, c.shared...) {
		conn.Close()
	}
	return nil
}

// variant dials clients that count the connections they open.
func variant(sharing framework.Sharing, opened *atomic.Int64) framework.Variant {
	return framework.Variant{Connections: framework.Connections{Sharing: sharing}, Dial: func(addr string, o framework.DialOptions) (framework.Client, error) {
		c := &client{addr: addr, pooled: sharing == framework.Pooled, opened: opened}
		for range o.Conns {
			if c.pooled {
				break
			}
			conn, err := c.dial()
			if err != nil {
				return nil, err
			}
			c.shared = append(c.shared, conn)
		}
		return c, nil
	}}
}

func TestOpen(t *testing.T) {
	for _, c := range []struct {
		about   string
		sharing framework.Sharing
		conns   int
		calls   int64
	}{
		{"each connection that workers share carries a call", framework.Fixed, 2*perClient + 7, 2*perClient + 7},
		{"where the framework chooses there are twice as many calls", framework.Mux, 10, 20},
		{"a pool opens one for each caller, as the server is held", framework.Pooled, perClient + 20, perClient + 20},
	} {
		t.Run(c.about, func(t *testing.T) {
			var opened atomic.Int64
			one, two := newServer(t, 1<<20), newServer(t, 1<<20)
			v := variant(c.sharing, &opened)
			got := Open(Config{
				Variant: v, Addrs: []string{one.addr(), two.addr()}, Conns: c.conns, Size: 2, Patience: time.Minute,
				Hold: func() (func() error, error) { return both(one, two) }, Files: func() int { return int(opened.Load()) + 1 },
				Room: func() error { return nil },
			})
			t.Cleanup(func() { got.Close() })
			require.NoError(t, got.Short)
			assert.Equal(t, c.conns, got.Asked)
			assert.EqualValues(t, c.conns, opened.Load())
			assert.Equal(t, c.calls, one.calls.Load()+two.calls.Load())
			assert.Positive(t, one.calls.Load(), "clients take the addresses in turns")
			assert.Equal(t, c.conns > perClient, two.calls.Load() > 0)
			assert.Positive(t, got.Took)
		})
	}
}

func both(one, two *server) (release func() error, err error) {
	first, _ := one.hold()
	second, _ := two.hold()
	return func() error { return errors.Join(first(), second()) }, nil
}

func TestOpenEndsEarly(t *testing.T) {
	for _, c := range []struct {
		about   string
		most    int64  // connections that the server accepts
		clients int    // that have room
		want    int    // clients
		short   string // why there are no more
	}{
		{"a server that closes connections", 10, 10, 4, "first calls: "},
		{"no room for more clients", 1 << 20, 1, 4, "no room"},
		{"no room at all", 1 << 20, 0, 0, "no room"},
	} {
		t.Run(c.about, func(t *testing.T) {
			var opened atomic.Int64
			s, rooms := newServer(t, c.most), 0
			got := Open(Config{
				Variant: variant(framework.Fixed, &opened), Addrs: []string{s.addr()}, Conns: 10 * perClient, Size: 2, Patience: time.Minute,
				Files: func() int { return 0 }, Room: func() error {
					if rooms++; rooms > c.clients {
						return errors.New("no room")
					}
					return nil
				},
			})
			t.Cleanup(func() { got.Close() })
			require.ErrorContains(t, got.Short, c.short)
			assert.Len(t, got.clients, c.want)
			assert.Less(t, got.Asked, 10*perClient)
		})
	}
}

func TestOpenFromNobody(t *testing.T) {
	var opened atomic.Int64
	got := Open(Config{
		Variant: variant(framework.Fixed, &opened), Addrs: []string{"127.0.0.1:1"}, Conns: 1, Size: 2, Patience: time.Minute,
		Files: func() int { return 0 }, Room: func() error { return nil },
	})
	assert.ErrorContains(t, got.Short, "dial: ")
	assert.Empty(t, got.clients)
}

func TestFirstCallsThatAreNotAnswered(t *testing.T) {
	s := newServer(t, 1<<20)
	release, err := s.hold()
	require.NoError(t, err)
	defer release()
	var opened atomic.Int64
	got := Open(Config{
		Variant: variant(framework.Fixed, &opened), Addrs: []string{s.addr()}, Conns: 3, Size: 2, Patience: 50 * time.Millisecond,
		Files: func() int { return 0 }, Room: func() error { return nil },
	})
	assert.ErrorContains(t, got.Short, "first calls: not all were answered within 50ms")
}
