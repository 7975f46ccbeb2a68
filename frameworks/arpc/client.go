package arpc

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/lesismal/arpc"

	"github.com/rpcbench/rpcbench/codecs/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ suite.MessageClient = (*client)(nil)

const dialTimeout = 2 * time.Second

// client shares its connections among all workers. arpc dials again by itself,
// once a second; calls fail until that succeeds.
type client struct {
	conns *arpc.ClientPool
}

func dial(addr string, o suite.DialOptions) (suite.Client, error) {
	quiet()
	h := arpc.DefaultHandler.Clone()
	h.SetMaxBodyLen(maxBody)
	pool, err := arpc.NewClientPool(func() (net.Conn, error) {
		return net.DialTimeout("tcp", addr, dialTimeout)
	}, o.Conns, h)
	if err != nil {
		return nil, err
	}
	for i := range o.Conns {
		pool.Get(i).Codec = codec{}
	}
	return &client{pool}, nil
}

// Echo implements suite.Client.
func (c *client) Echo(requests []suite.EchoMessage, check suite.EchoCheck) loadgen.Call {
	natives := make([]*protobuf.EchoMessage, len(requests))
	for i, r := range requests {
		natives[i] = &protobuf.EchoMessage{Action: r.Action, Msg: r.Msg}
	}
	return func(ctx context.Context, worker int) error {
		reply := new(protobuf.EchoMessage)
		if err := c.call(ctx, worker, methodEcho, natives[worker], reply); err != nil {
			return err
		}
		return check(worker, suite.EchoMessage{Action: reply.Action, Msg: reply.Msg})
	}
}

// Message implements suite.MessageClient.
func (c *client) Message(workers int, check suite.MessageCheck) loadgen.Call {
	natives := suite.Filled[protobuf.BenchMessage](workers)
	return func(ctx context.Context, worker int) error {
		reply := new(protobuf.BenchMessage)
		if err := c.call(ctx, worker, methodMessage, natives[worker], reply); err != nil {
			return err
		}
		return check(worker, reply.GetField1(), reply.GetField2(), reply)
	}
}

// CallUnknown implements suite.MessageClient.
func (c *client) CallUnknown(ctx context.Context) error {
	return c.call(ctx, 0, methodUnknown, new(protobuf.EchoMessage), new(protobuf.EchoMessage))
}

// Close implements suite.Client.
func (c *client) Close() error {
	c.conns.Stop()
	return nil
}

// call adds the context's error to that of a call it ended, which arpc names
// a timeout whatever the reason.
func (c *client) call(ctx context.Context, worker int, method string, req, reply any) error {
	err := c.conns.Get(worker).CallContext(ctx, method, req, reply)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("arpc: %w: %w", err, ctx.Err())
	}
	return err
}
