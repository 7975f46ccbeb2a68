package tcp

import (
	"context"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.Client = (*connClient)(nil)

// connClient is the client of transport=conn: one connection for each worker.
type connClient struct {
	dialer

	mu    sync.Mutex
	slots []*slot // by worker
}

// dialConn opens the first connection, to see that there is a server. Each other
// connection is opened by the first call of its worker.
func dialConn(addr string, o framework.DialOptions, s setup) (framework.Client, error) {
	c := &connClient{dialer: dialer{addr: addr, secured: s.layers.ClientTLS(o.Handshakes), setup: s, open: conns.Set{Control: s.control()}}}
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
		c.slots = append(c.slots, &slot{dialer: &c.dialer})
	}
	return c.slots[:n:n]
}
