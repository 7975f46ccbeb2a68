package tcp

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.Client = (*connClient)(nil)

// connClient is the client of transport=conn: one connection for each worker.
type connClient struct {
	addr    string
	secured *tls.Config // nil without TLS
	options options
	open    conns.Set

	mu    sync.Mutex
	slots []*slot // by worker
}

// dialConn opens the first connection, to see that there is a server. Each other
// connection is opened by the first call of its worker.
func dialConn(addr string, d framework.DialOptions, o options) (framework.Client, error) {
	c := &connClient{addr: addr, secured: o.layers.ClientTLS(d), options: o, open: conns.Set{Control: o.control()}}
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
	c.options.keep(nc)
	secured, err := conns.Secure(ctx, c.secured, nc)
	if err != nil {
		c.open.Drop(nc)
		return nil, reason(ctx, err)
	}
	return newConn(secured), nil
}

// Close implements framework.Client.
func (c *connClient) Close() error {
	c.open.Close()
	return nil
}

// workers returns the slots of workers 0 to n-1. The slots are kept, so that the next
// call of Echo finds its connections open.
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
	busy   atomic.Bool // a call uses it
	conn   *conn       // nil until the first call and after a failed one

	// Most contexts serve many calls, so a context is watched once and not by
	// every call. The fields below are the watch; mu orders it with the ends of
	// calls.
	mu          sync.Mutex
	done        <-chan struct{} // identifies the watched context; nil if none is watched
	stop        func() bool     // ends the watch
	calling     bool            // done may interrupt the call under way
	interrupted bool            // done has interrupted it
}

// call sends payload and returns the reply. If the slot is busy, because its worker
// calls through two Echos at once, the call opens a connection for itself.
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

// exchange is call for the caller that has the slot. It drops the connection of a
// failed call, on which the reply might still come.
func (s *slot) exchange(ctx context.Context, payload []byte) ([]byte, error) {
	if err := s.dial(ctx); err != nil {
		return nil, err
	}
	s.watch(ctx)
	err := ctx.Err() // the context may have ended before it is watched
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

// reason returns why a connection failed. If ctx has ended that is the reason, and err
// only its consequence.
func reason(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("tcp: %w", ctx.Err())
	}
	if d, ok := ctx.Deadline(); ok && !time.Now().Before(d) { // ctx ends in a moment: the connection noticed its deadline first
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
		s.client.open.Drop(bare(s.conn.Conn))
		s.conn = nil
	}
}

// watch has the end of ctx interrupt the next call. It costs nothing for a context
// that cannot end.
func (s *slot) watch(ctx context.Context) {
	if ctx.Done() == nil && s.done == nil {
		return
	}
	s.watchDone(ctx)
	s.mu.Lock()
	s.calling = true
	s.mu.Unlock()
}

// unwatch undoes watch, and reports whether the call was interrupted.
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

// watchDone watches ctx instead of the previous context. Contexts are compared by
// their channels, since a context itself may not be comparable.
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

// interrupt makes the call under way fail if it was made with the context of done.
func (s *slot) interrupt(done <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calling && s.done == done {
		s.interrupted = true
		s.conn.SetDeadline(time.Unix(1, 0))
	}
}

// conn is a connection with one request at a time, or with a stream.
type conn struct {
	net.Conn
	r      *bufio.Reader
	w      *bufio.Writer // with TLS, so that a frame is one record; nil: frames are written without copying them
	memory frames.Memory
	id     uint64

	header  [headerLen]byte
	parts   [2][]byte   // header and payload
	buffers net.Buffers // the parts, written by one system call
}

func (c *conn) exchange(payload []byte) ([]byte, error) {
	c.id++
	if err := c.send(frame{c.id, payload}); err != nil {
		return nil, err
	}
	f, err := readFrame(c.r, &c.memory, nil)
	if err == nil && f.id != c.id {
		err = fmt.Errorf("a reply to request %d came for request %d", f.id, c.id)
	}
	return f.payload, err
}

func (c *conn) send(f frame) error {
	if c.w != nil {
		writeFrame(c.w, f) // Flush returns its error
		return c.w.Flush()
	}
	c.parts[0], c.parts[1] = appendHeader(c.header[:0], f), f.payload
	c.buffers = c.parts[:]
	_, err := c.buffers.WriteTo(c.Conn)
	return err
}
