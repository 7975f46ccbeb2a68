package frozen

import (
	"net"
	"sync"
	"time"

	"github.com/cloudwego/netpoll"
)

// dialer is kitex's own, but has the end of a client close the connections that kitex leaves
// open, those of calls that their contexts have ended.
type dialer struct {
	mu     sync.Mutex
	open   map[net.Conn]struct{}
	closed bool
}

// DialTimeout implements remote.Dialer.
func (d *dialer) DialTimeout(network, addr string, timeout time.Duration) (net.Conn, error) {
	c, err := netpoll.DialConnection(network, addr, timeout)
	if err != nil {
		return nil, err
	}
	if !d.add(c) {
		c.Close()
		return nil, net.ErrClosed
	}
	c.AddCloseCallback(func(netpoll.Connection) error { d.forget(c); return nil })
	return c, nil
}

// add reports false if the client was closed before.
func (d *dialer) add(c net.Conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	if d.open == nil {
		d.open = map[net.Conn]struct{}{}
	}
	d.open[c] = struct{}{}
	return true
}

func (d *dialer) forget(c net.Conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, c)
}

// Close closes all connections. Each calls forget, so that they are closed without the lock.
func (d *dialer) Close() error {
	d.mu.Lock()
	open := d.open
	d.open, d.closed = nil, true
	d.mu.Unlock()
	for c := range open {
		c.Close()
	}
	return nil
}
