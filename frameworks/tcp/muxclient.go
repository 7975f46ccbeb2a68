package tcp

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.Client = (*muxClient)(nil)

// muxClient is the client of transport=mux. All workers share its connections.
type muxClient struct {
	conns []*link
}

func dialMux(addr string, o framework.DialOptions, s setup) (framework.Client, error) {
	c, secured := &muxClient{}, s.layers.ClientTLS(o.Handshakes)
	for range o.Conns {
		l := &link{addr: addr, secured: secured, setup: s}
		c.conns = append(c.conns, l)
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
func (c *muxClient) of(worker int) *link { return c.conns[worker%len(c.conns)] }

// Close implements framework.Client.
func (c *muxClient) Close() error {
	for _, l := range c.conns {
		l.close()
	}
	return nil
}
