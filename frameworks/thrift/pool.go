package thrift

import (
	"context"
	"net"
	"sync"

	"github.com/rpcbench/rpcbench/codecs/rpc/thrift/bench"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// conn is a connection and the generated client on it.
type conn struct {
	net.Conn
	stub *bench.BencherClient
}

// pool is a pool of connections, which Thrift leaves to its users. It opens
// one when a call finds none idle.
type pool struct {
	addr  string
	setup setup
	size  int // most idle connections

	conns conns.Set
	mu    sync.Mutex
	idle  []*conn // the one used last at the end
}

// take returns an idle connection, or a new one.
func (p *pool) take(ctx context.Context) (*conn, error) {
	if c := p.pop(); c != nil {
		return c, nil
	}
	socket, err := p.conns.Dial(ctx, p.addr)
	if err != nil {
		return nil, err
	}
	stub, err := p.setup.stub(socket)
	if err != nil {
		p.conns.Drop(socket)
		return nil, err
	}
	return &conn{socket, stub}, nil
}

func (p *pool) pop() *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	c := p.idle[last]
	p.idle = p.idle[:last]
	return c
}

// put takes a connection back, or closes it if it is of no more use.
func (p *pool) put(c *conn, reusable bool) {
	if !reusable || !p.push(c) {
		p.conns.Drop(c.Conn)
	}
}

func (p *pool) push(c *conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) >= p.size {
		return false
	}
	p.idle = append(p.idle, c)
	return true
}

// close closes all connections, those in use too.
func (p *pool) close() { p.conns.Close() }
