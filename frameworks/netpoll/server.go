package netpoll

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cloudwego/netpoll"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/tcp"
)

// stopTimeout bounds the time to stop listening.
const stopTimeout = time.Second

// server is a running server.
type server struct {
	loop netpoll.EventLoop
	addr string
	open conns.Set // netpoll waits for connections in whose requests it is
	stop func() error
}

func serve(addr string) (framework.Server, error) {
	l, err := netpoll.CreateListener(address.Network(addr), addr)
	if err != nil {
		return nil, fmt.Errorf("netpoll: %w", err)
	}
	if l == nil { // as on Windows
		return nil, fmt.Errorf("netpoll: %w", errors.ErrUnsupported)
	}
	s := &server{addr: l.Addr().String()}
	if s.loop, err = netpoll.NewEventLoop(echo, netpoll.WithOnPrepare(s.keep)); err != nil {
		l.Close()
		return nil, fmt.Errorf("netpoll: %w", err)
	}
	s.stop = sync.OnceValue(s.shutdown)
	go s.loop.Serve(l)
	return s, nil
}

// keep puts a new connection into the set, until it is closed.
func (s *server) keep(c netpoll.Connection) context.Context {
	c.AddCloseCallback(func(netpoll.Connection) error { s.open.Forget(c); return nil })
	s.open.Add(c)
	return context.Background()
}

func (s *server) shutdown() error {
	s.open.Close()
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	return s.loop.Shutdown(ctx)
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *server) Close() error { return s.stop() }

// echo sends back the frames that arrive, until none has begun. netpoll calls it, in a
// goroutine of its pool, when a connection has data. As in raw TCP, replies leave together
// while more requests are at hand.
func echo(_ context.Context, c netpoll.Connection) error {
	r := c.Reader()
	for r.Len() > 0 {
		if err := frames(c); err != nil {
			c.Close()
			return err
		}
		if err := r.Release(); err != nil {
			return err
		}
	}
	return nil
}

// frames sends back a frame and those that are whole behind it. Their memory is the
// reader's, until Release.
func frames(c netpoll.Connection) error {
	r, w := c.Reader(), c.Writer()
	for first := true; first || whole(r); first = false {
		header, err := r.Peek(tcp.HeaderLen)
		if err != nil {
			return err
		}
		n, err := tcp.Payload(header)
		if err != nil {
			return err
		}
		frame, err := r.Next(tcp.HeaderLen + n)
		if err != nil {
			return err
		}
		if _, err := w.WriteBinary(frame); err != nil {
			return err
		}
		count.Call()
	}
	return w.Flush()
}

// whole reports whether the next frame has arrived.
func whole(r netpoll.Reader) bool {
	if r.Len() < tcp.HeaderLen {
		return false
	}
	header, err := r.Peek(tcp.HeaderLen)
	if err != nil {
		return false
	}
	n, err := tcp.Payload(header)
	return err == nil && r.Len() >= tcp.HeaderLen+n
}
