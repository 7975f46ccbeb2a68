package tcp

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.Client = (*connClient)(nil)

// connClient is the client of transport=conn: one connection for each worker.
type connClient struct {
	addr string
	open conns.Set

	mu    sync.Mutex
	slots []*slot // by worker
}

// dialConn opens the first connection, to know that there is a server. Each
// other one is opened by the first call of its worker.
func dialConn(addr string, _ framework.DialOptions) (framework.Client, error) {
	c := &connClient{addr: addr}
	if err := c.workers(1)[0].dial(context.Background()); err != nil {
		return nil, err
	}
	return c, nil
}

// Echo implements framework.Client.
func (c *connClient) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	slots := c.workers(len(requests))
	return native.RawEcho(requests, check, func(ctx context.Context, worker int, req *framework.EchoMessage) ([]byte, error) {
		return slots[worker].call(ctx, req.Msg)
	})
}

// connect opens a connection.
func (c *connClient) connect(ctx context.Context) (*conn, error) {
	nc, err := c.open.Dial(ctx, c.addr)
	if err != nil {
		return nil, reason(ctx, err)
	}
	return &conn{Conn: nc, r: bufio.NewReaderSize(nc, connBuffer)}, nil
}

// Close implements framework.Client.
func (c *connClient) Close() error {
	c.open.Close()
	return nil
}

// workers returns the slots of workers 0 to n-1. They outlive an Echo, so that
// the next one finds its connections open.
func (c *connClient) workers(n int) []*slot {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.slots) < n {
		c.slots = append(c.slots, &slot{client: c})
	}
	return c.slots[:n:n]
}

// slot is a worker's place for a connection.
type slot struct {
	client *connClient
	busy   atomic.Bool // a call has it
	conn   *conn       // nil until the first call and after a failed one

	// A context outlives most calls made with it, so it is watched once and
	// not by every call: what follows is its watch, ordered by mu with the
	// ends of calls.
	mu          sync.Mutex
	done        <-chan struct{} // tells which context is watched, nil for none
	stop        func() bool     // ends the watch
	calling     bool            // a call is under way that done may interrupt
	interrupted bool            // done did
}

// call sends payload and returns the reply to it. A call that finds the slot
// busy, since its worker belongs to two Echos at once, opens a connection for
// itself.
func (s *slot) call(ctx context.Context, payload []byte) ([]byte, error) {
	if err := checkSize(len(payload)); err != nil {
		return nil, err
	}
	if !s.busy.CompareAndSwap(false, true) {
		extra := &slot{client: s.client}
		defer extra.drop()
		return extra.exchange(ctx, payload)
	}
	defer s.busy.Store(false)
	return s.exchange(ctx, payload)
}

// exchange is call for the one who has the slot. A connection whose call
// failed is of no more use: the reply might still come.
func (s *slot) exchange(ctx context.Context, payload []byte) ([]byte, error) {
	if err := s.dial(ctx); err != nil {
		return nil, err
	}
	s.watch(ctx)
	err := ctx.Err() // its end is not watched if it was before
	var reply []byte
	broken := false
	if err == nil {
		reply, err = s.conn.exchange(payload)
		broken = err != nil
	}
	if s.unwatch() || broken {
		s.drop()
	}
	if err != nil {
		return nil, reason(ctx, err)
	}
	return reply, nil
}

// reason is why a connection failed: the end of ctx comes before what it did
// to the connection.
func reason(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("tcp: %w", ctx.Err())
	}
	if d, ok := ctx.Deadline(); ok && !time.Now().Before(d) { // ctx is about to end
		return fmt.Errorf("tcp: %w", context.DeadlineExceeded)
	}
	return lost(err)
}

// dial opens the slot's connection if it has none.
func (s *slot) dial(ctx context.Context) error {
	if s.conn != nil {
		return nil
	}
	c, err := s.client.connect(ctx)
	s.conn = c
	return err
}

// drop closes the slot's connection and ends its watch.
func (s *slot) drop() {
	s.watchDone(context.Background())
	if s.conn != nil {
		s.client.open.Drop(s.conn.Conn)
		s.conn = nil
	}
}

// watch makes the end of ctx interrupt the call that follows. It costs nothing
// for a context that cannot end.
func (s *slot) watch(ctx context.Context) {
	if ctx.Done() == nil && s.done == nil {
		return
	}
	s.watchDone(ctx)
	s.mu.Lock()
	s.calling = true
	s.mu.Unlock()
}

// unwatch ends what watch began and reports whether the call was interrupted.
func (s *slot) unwatch() bool {
	if s.done == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	interrupted := s.interrupted
	s.calling, s.interrupted = false, false
	return interrupted
}

// watchDone watches ctx in place of the context before it. Contexts are told
// apart by their channels, as they need not be comparable themselves.
func (s *slot) watchDone(ctx context.Context) {
	done := ctx.Done()
	if done == s.done {
		return
	}
	if s.stop != nil {
		s.stop()
	}
	s.mu.Lock()
	s.done, s.stop = done, nil
	s.mu.Unlock()
	if done != nil {
		s.stop = context.AfterFunc(ctx, func() { s.interrupt(done) })
	}
}

// interrupt makes the call under way fail if it is done's.
func (s *slot) interrupt(done <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calling && s.done == done {
		s.interrupted = true
		s.conn.SetDeadline(time.Unix(1, 0))
	}
}

// conn is a connection with one request on it at a time, or with a stream.
type conn struct {
	net.Conn
	r  *bufio.Reader
	id uint64

	header  [headerLen]byte
	parts   [2][]byte   // header and payload
	buffers net.Buffers // parts, to be written by one system call
}

func (c *conn) exchange(payload []byte) ([]byte, error) {
	c.id++
	if err := c.send(frame{c.id, payload}); err != nil {
		return nil, err
	}
	f, err := readFrame(c.r, nil)
	if err == nil && f.id != c.id {
		err = fmt.Errorf("a reply to request %d came for request %d", f.id, c.id)
	}
	return f.payload, err
}

func (c *conn) send(f frame) error {
	c.parts[0], c.parts[1] = appendHeader(c.header[:0], f), f.payload
	c.buffers = c.parts[:]
	_, err := c.buffers.WriteTo(c.Conn)
	return err
}
