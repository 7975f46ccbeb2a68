package tcp

import (
	"context"
	"crypto/tls"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// link is one of the shared connections. When the connection has broken, the next call
// replaces it.
type link struct {
	addr    string
	secured *tls.Config // nil without TLS
	setup   setup
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
	if ctx.Err() != nil { // or a reply that is there first would win half of the time
		return nil, fmt.Errorf("tcp: %w", ctx.Err())
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

func (l *link) connect() (*muxConn, error) {
	nc, err := conns.DialWith(l.setup.control(), l.addr)
	if err != nil {
		return nil, lost(err)
	}
	l.setup.keep(nc)
	if nc, err = conns.Secure(context.Background(), l.secured, nc); err != nil {
		return nil, lost(err)
	}
	c := &muxConn{conn: nc, wake: make(chan struct{}, 1), waiting: make(map[uint64]chan<- reply)}
	go c.write()
	go c.read()
	return c, nil
}
