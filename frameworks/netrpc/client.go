package netrpc

import (
	"context"
	"net"
	"net/rpc"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ suite.MethodClient = (*client)(nil)

const dialTimeout = 2 * time.Second

// client shares its connections among all workers. A connection that broke
// stays so, as net/rpc does not dial again.
type client struct {
	conns []*rpc.Client
}

func dial(addr string, o suite.DialOptions, codec codec) (suite.Client, error) {
	opened, err := conns.Open(o.Conns, func() (*rpc.Client, error) {
		c, err := net.DialTimeout("tcp", addr, dialTimeout)
		if err != nil {
			return nil, err
		}
		return codec.client(c), nil
	}, (*rpc.Client).Close)
	if err != nil {
		return nil, err
	}
	return &client{opened}, nil
}

// Echo implements suite.Client.
func (c *client) Echo(requests []suite.EchoMessage, check suite.EchoCheck) loadgen.Call {
	callers := c.callers(len(requests))
	natives := make([]*EchoMessage, len(requests))
	for i, r := range requests {
		natives[i] = &EchoMessage{Action: r.Action, Msg: r.Msg}
	}
	return func(ctx context.Context, worker int) error {
		reply := new(EchoMessage)
		if err := callers[worker].call(ctx, "Bencher.Echo", natives[worker], reply); err != nil {
			return err
		}
		return check(worker, suite.EchoMessage{Action: reply.Action, Msg: reply.Msg})
	}
}

// Message implements suite.MethodClient.
func (c *client) Message(workers int, check suite.MessageCheck) loadgen.Call {
	callers := c.callers(workers)
	natives := make([]*BenchMessage, workers)
	for i := range natives {
		natives[i] = new(BenchMessage)
		suite.Fill(natives[i])
	}
	return func(ctx context.Context, worker int) error {
		reply := new(BenchMessage)
		if err := callers[worker].call(ctx, "Bencher.Message", natives[worker], reply); err != nil {
			return err
		}
		return check(worker, reply.Field1, reply.Field2, reply)
	}
}

// CallUnknown implements suite.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	return c.callers(1)[0].call(ctx, "Bencher.Unknown", &EchoMessage{}, &EchoMessage{})
}

// Close implements suite.Client.
func (c *client) Close() error {
	return conns.Shut(c.conns, (*rpc.Client).Close)
}

func (c *client) callers(workers int) []*caller {
	callers := make([]*caller, workers)
	for i := range callers {
		callers[i] = &caller{c.conns[i%len(c.conns)], newDone()}
	}
	return callers
}

// caller makes the calls of one worker.
type caller struct {
	conn *rpc.Client
	done chan *rpc.Call // empty between calls
}

func newDone() chan *rpc.Call { return make(chan *rpc.Call, 1) }

// call is the call with a context that net/rpc lacks. Its Go returns when the
// request has been written, which a server that reads no more delays for ever,
// so a context that can end needs a goroutine to leave behind.
func (c *caller) call(ctx context.Context, method string, req, reply any) error {
	if ctx.Done() == nil {
		c.conn.Go(method, req, reply, c.done)
		return (<-c.done).Error
	}
	go c.conn.Go(method, req, reply, c.done)
	select {
	case call := <-c.done:
		return call.Error
	case <-ctx.Done():
		c.done = newDone() // the reply may still come to the old one
		return ctx.Err()
	}
}
