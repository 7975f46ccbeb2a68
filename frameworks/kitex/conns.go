package kitex

import (
	"net"
	"time"

	"github.com/cloudwego/gopkg/bufiox"
	"github.com/cloudwego/kitex/pkg/remote"
	"github.com/cloudwego/netpoll"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// dialIn opens a connection in a set, which it leaves when it is closed.
func dialIn(open *conns.Set, dialer remote.Dialer, network, addr string, timeout time.Duration) (net.Conn, error) {
	c, err := dialer.DialTimeout(network, addr, timeout)
	if err != nil {
		return nil, err
	}
	if !open.Add(c) {
		return nil, net.ErrClosed
	}
	switch c := c.(type) {
	case netpoll.Connection:
		c.AddCloseCallback(func(netpoll.Connection) error { open.Forget(c); return nil })
	case gonetConn:
		return &trackedConn{c, func() { open.Forget(c) }}, nil
	}
	return c, nil
}

// gonetConn is a connection of kitex's package gonet.
type gonetConn interface {
	net.Conn
	Reader() *bufiox.DefaultReader
	Writer() *bufiox.DefaultWriter
}

// trackedConn is a connection that calls forget when it is closed.
type trackedConn struct {
	gonetConn
	forget func()
}

// Close implements net.Conn.
func (c *trackedConn) Close() error {
	c.forget()
	return c.gonetConn.Close()
}
