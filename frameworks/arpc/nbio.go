package arpc

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lesismal/arpc"
	arpccodec "github.com/lesismal/arpc/codec"
	"github.com/lesismal/nbio"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// stopTimeout bounds the time to stop an event loop.
const stopTimeout = time.Second

// nbioServer is a running server on nbio's event loop.
type nbioServer struct {
	addr string
	stop func() error
}

// serveNBIO connects arpc with nbio as their examples do. The event loop reads;
// handlers run in goroutines and write by themselves.
func serveNBIO(addr string, s setup, k kind) (framework.Server, error) {
	h := arpc.NewHandler()
	h.SetAsyncWrite(false) // connections have no writer of their own
	stopWorkers := s.setUpServer(h, k)
	e := newEngine(addr, h, k.codec)
	if err := e.Start(); err != nil {
		stopWorkers()
		return nil, err
	}
	return &nbioServer{e.Addrs[0], sync.OnceValue(func() error {
		defer stopWorkers()
		return stop(e)
	})}, nil
}

func newEngine(addr string, h arpc.Handler, codec arpccodec.Codec) *nbio.Engine {
	e := nbio.NewEngine(nbio.Config{Network: "tcp", Addrs: []string{addr}})
	e.OnOpen(func(c *nbio.Conn) {
		s := &session{client: &arpc.Client{Conn: c, Codec: codec, Handler: h}}
		s.open.Store(true)
		c.SetSession(s)
	})
	e.OnData(func(c *nbio.Conn, data []byte) {
		s := c.Session().(*session)
		if !s.open.Load() {
			return // never happens, see session
		}
		if err := s.read(data); err != nil {
			c.CloseWithError(err)
		}
	})
	return e
}

func stop(e *nbio.Engine) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	return e.Shutdown(ctx)
}

// Addr implements framework.Server.
func (s *nbioServer) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *nbioServer) Close() error { return s.stop() }

// session cuts the data of a connection into frames. Each frame is a copy, because the
// event loop reuses its buffer and handlers run later.
//
// The listener's goroutine passes a session to the event loop's by way of the kernel.
// The race detector cannot see that order; open makes it visible.
type session struct {
	open    atomic.Bool
	client  *arpc.Client
	header  []byte // the part of the next frame's header that was received
	frame   []byte // the frame whose body is being received, as far as there is room; nil between frames
	size    int    // of the whole frame in bytes
	filled  int    // bytes of frame that were received
	longest int    // the largest frame that was received, in bytes
}

// A frame has firstRoom bytes at most before any of its body has arrived, since a header
// may claim anything, and then up to growth times what has arrived. It has room at once
// if one as large has arrived on the same connection.
const (
	firstRoom = 8 << 20
	growth    = 8
)

func (s *session) read(data []byte) error {
	for len(data) > 0 {
		if s.frame == nil {
			n := min(len(data), arpc.HeadLen-len(s.header))
			s.header, data = append(s.header, data[:n]...), data[n:]
			if len(s.header) < arpc.HeadLen {
				return nil
			}
			if err := s.begin(); err != nil {
				return err
			}
		}
		n := copy(s.frame[s.filled:], data)
		s.filled, data = s.filled+n, data[n:]
		switch {
		case s.filled == s.size:
			s.deliver()
		case s.filled == len(s.frame):
			s.grow(growth * s.filled)
		}
	}
	return nil
}

// begin allocates the beginning of the frame that the header announces.
func (s *session) begin() error {
	h := s.client.Handler
	n := arpc.Header(s.header).BodyLen()
	if n > h.MaxBodyLen() {
		return fmt.Errorf("arpc: a body of %d bytes is over the limit, %d bytes", n, h.MaxBodyLen())
	}
	s.size = arpc.HeadLen + n
	s.frame = h.Malloc(min(s.size, max(firstRoom, s.longest)))
	s.filled = copy(s.frame, s.header)
	s.header = s.header[:0]
	return nil
}

// grow gives the frame room for n bytes, or for all of it.
func (s *session) grow(n int) {
	h := s.client.Handler
	room := h.Malloc(min(s.size, n))
	copy(room, s.frame)
	h.Free(s.frame)
	s.frame = room
}

func (s *session) deliver() {
	h := s.client.Handler
	msg := h.NewMessageWithBuffer(s.frame)
	s.frame, s.longest = nil, max(s.longest, s.size)
	h.OnMessage(s.client, msg)
}
