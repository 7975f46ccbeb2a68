package tcp

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.Client = (*muxClient)(nil)

// muxClient is the client of transport=mux. All workers share its links.
type muxClient struct {
	links []*link
}

func dialMux(addr string, d framework.DialOptions, o options) (framework.Client, error) {
	c, secured := &muxClient{}, o.layers.ClientTLS(d)
	for range d.Conns {
		l := &link{addr: addr, secured: secured, options: o}
		c.links = append(c.links, l)
		if _, err := l.get(context.Background()); err != nil {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

// Echo implements framework.Client.
func (c *muxClient) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	replies := make([]chan reply, len(requests))
	for i := range replies {
		replies[i] = make(chan reply, 1)
	}
	return native.RawEcho(requests, check, func(ctx context.Context, worker int, req *framework.EchoMessage) ([]byte, error) {
		return c.of(worker).call(ctx, req.Msg, replies[worker])
	})
}

// of returns the connection of a worker's next call.
func (c *muxClient) of(worker int) *link { return c.links[worker%len(c.links)] }

// Close implements framework.Client.
func (c *muxClient) Close() error {
	for _, l := range c.links {
		l.close()
	}
	return nil
}

// link is one of the shared connections. When the connection has broken, the next call
// replaces it.
type link struct {
	addr    string
	secured *tls.Config // nil without TLS
	options options
	conn    atomic.Pointer[muxConn] // nil before the first dial

	mu      sync.Mutex
	dialing *attempt // nil if no dial is under way
	closed  bool
}

// attempt is a dial, for which all callers of a link wait together.
type attempt struct {
	done chan struct{} // closed when conn and err are set
	conn *muxConn
	err  error
}

// call sends payload and waits for the reply. The channel replies has capacity 1, and
// is empty before and after.
func (l *link) call(ctx context.Context, payload []byte, replies chan reply) ([]byte, error) {
	if err := checkSize(len(payload)); err != nil {
		return nil, err
	}
	c, err := l.get(ctx)
	if err != nil {
		return nil, err
	}
	id, err := c.send(payload, replies)
	if err != nil {
		return nil, err
	}
	select {
	case r := <-replies:
		return r.payload, r.err
	case <-ctx.Done():
		if c.claim(id) != nil {
			return nil, fmt.Errorf("tcp: %w", ctx.Err())
		}
		r := <-replies // the reader has claimed the reply and sends it
		return r.payload, r.err
	}
}

// get returns the connection. If that has broken, get waits for a new one.
func (l *link) get(ctx context.Context) (*muxConn, error) {
	if c := l.conn.Load(); c.works() {
		return c, nil
	}
	a, err := l.redial()
	if err != nil {
		return nil, err
	}
	select {
	case <-a.done:
		return a.conn, a.err
	case <-ctx.Done():
		return nil, fmt.Errorf("tcp: %w", ctx.Err())
	}
}

// redial returns the dial under way, or starts one.
func (l *link) redial() (*attempt, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errClosed
	}
	if l.dialing == nil {
		l.dialing = &attempt{done: make(chan struct{})}
		go l.dial(l.dialing)
	}
	return l.dialing, nil
}

func (l *link) dial(a *attempt) {
	c := l.conn.Load()
	var err error
	if !c.works() { // it works if another dial ended just before this one began
		c, err = l.connect()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil && l.closed {
		c.fail(errClosed)
		err = errClosed
	}
	if err == nil {
		l.conn.Store(c)
	}
	a.conn, a.err = c, err
	l.dialing = nil
	close(a.done)
}

func (l *link) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if c := l.conn.Load(); c != nil {
		c.fail(errClosed)
	}
}

// reply is a payload, or an error instead.
type reply struct {
	payload []byte
	err     error
}

// muxConn is a connection with many requests at once. Callers queue frames for its
// writer, and its reader sends them the replies.
type muxConn struct {
	conn   net.Conn
	wake   chan struct{} // holds an element when the writer has work
	broken atomic.Bool   // err is set

	mu      sync.Mutex
	err     error // why the connection failed; nil while it works
	id      uint64
	queue   []frame                 // frames that the writer has not taken yet
	waiting map[uint64]chan<- reply // by the request's id
}

func (l *link) connect() (*muxConn, error) {
	nc, err := conns.DialWith(l.options.control(), l.addr)
	if err != nil {
		return nil, lost(err)
	}
	l.options.keep(nc)
	if nc, err = conns.Secure(context.Background(), l.secured, nc); err != nil {
		return nil, lost(err)
	}
	c := &muxConn{conn: nc, wake: make(chan struct{}, 1), waiting: make(map[uint64]chan<- reply)}
	go c.write()
	go c.read()
	return c, nil
}

// works reports whether c was dialed and has not failed.
func (c *muxConn) works() bool { return c != nil && !c.broken.Load() }

// send queues payload and has the reply sent to replies. The payload must not change
// while the connection is open, because it is copied only when it is written.
func (c *muxConn) send(payload []byte, replies chan<- reply) (id uint64, err error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return 0, c.err
	}
	c.id++
	id = c.id
	c.waiting[id] = replies
	c.queue = append(c.queue, frame{id, payload})
	first := len(c.queue) == 1
	c.mu.Unlock()
	if first {
		c.rouse()
	}
	return id, nil
}

func (c *muxConn) rouse() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// claim removes and returns the channel for the reply to id; nil if no call waits for
// it. The goroutine that claims a channel must send the reply.
func (c *muxConn) claim(id uint64) chan<- reply {
	c.mu.Lock()
	defer c.mu.Unlock()
	replies := c.waiting[id]
	delete(c.waiting, id)
	return replies
}

// write writes what callers queue. All frames in the queue, and those that are queued
// while it copies them, leave in one system call. Before it takes the queue it yields,
// so that more callers queue: with 100 callers that saves a third of the work.
func (c *muxConn) write() {
	w := bufio.NewWriterSize(c.conn, muxBuffer)
	var batch []frame
	for range c.wake {
		runtime.Gosched()
		for batch = c.take(batch); len(batch) > 0; batch = c.take(batch) {
			for _, f := range batch {
				writeFrame(w, f) // Flush returns its error
			}
		}
		if err := w.Flush(); err != nil {
			c.fail(lost(err))
		}
		if c.broken.Load() {
			return
		}
	}
}

// take returns the queue, and makes used the new, empty queue.
func (c *muxConn) take(used []frame) []frame {
	clear(used)
	c.mu.Lock()
	defer c.mu.Unlock()
	batch := c.queue
	c.queue = used[:0]
	return batch
}

func (c *muxConn) read() {
	r := bufio.NewReaderSize(c.conn, muxBuffer)
	var m frames.Memory
	for {
		f, err := readFrame(r, &m, nil)
		if err != nil {
			c.fail(lost(err))
			return
		}
		if replies := c.claim(f.id); replies != nil {
			replies <- reply{payload: f.payload}
		}
	}
}

// fail closes the connection and sends the reason to all calls that wait. Only the
// first reason counts.
func (c *muxConn) fail(reason error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = reason
	c.broken.Store(true)
	bare(c.conn).Close()
	for _, replies := range c.waiting {
		replies <- reply{err: reason}
	}
	c.waiting, c.queue = nil, nil
	c.rouse() // the writer then ends
}
