package rpcx

import (
	"context"

	rpcxclient "github.com/smallnest/rpcx/client"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client[protobuf.EchoMessage, protobuf.BenchMessage, protobuf.BenchMessage])(nil)
	_ framework.AsyncClient   = (*client[protobuf.EchoMessage, protobuf.BenchMessage, protobuf.BenchMessage])(nil)
	_ framework.MethodClient  = (*rawClient)(nil)
)

// client makes calls with native messages.
type client[E, Q, R any] struct {
	*connections
	kind native.Kind[E, Q, R]
}

// Echo implements framework.Client.
func (c *client[E, Q, R]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.kind.Echo(requests, check, func(ctx context.Context, worker int, req *E) (*E, error) {
		reply := new(E)
		return reply, c.of(worker).Call(ctx, methodEcho, req, reply)
	})
}

// Message implements framework.MessageClient.
func (c *client[E, Q, R]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.kind.Message(workers, check, func(ctx context.Context, worker int, req *Q) (*R, error) {
		reply := new(R)
		return reply, c.of(worker).Call(ctx, methodMessage, req, reply)
	})
}

// EchoAsync implements framework.AsyncClient. A goroutine for each connection waits for
// the replies.
func (c *client[E, Q, R]) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.AsyncCall {
	flights := c.kind.Flights(requests, check)
	landed := make([]chan *rpcxclient.Call, len(c.list))
	land := result[E]
	if c.carries {
		land = returned[E]
	}
	for i := range landed {
		landed[i] = make(chan *rpcxclient.Call, len(requests))
		go native.Land(flights, landed[i], land, c.closed)
	}
	return func(ctx context.Context, worker int, done func(error)) {
		req, reply := flights.Start(ctx, worker, done)
		_, err := c.of(worker).Go(ctx, methodEcho, req, reply, landed[worker%len(landed)])
		if err != nil {
			flights.End(worker, reply, err)
		}
	}
}

func result[E any](c *rpcxclient.Call) native.Landed[E] {
	return native.Landed[E]{Request: c.Args.(*E), Reply: c.Reply.(*E), Err: c.Error}
}

// CallUnknown implements framework.MethodClient.
func (c *client[E, Q, R]) CallUnknown(ctx context.Context) error {
	return c.of(0).Call(ctx, methodUnknown, new(E), new(E))
}

// rawClient makes calls with bytes.
type rawClient struct{ *connections }

// Echo implements framework.Client.
func (c *rawClient) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return native.RawEcho(requests, check, func(ctx context.Context, worker int, req *framework.EchoMessage) (reply []byte, err error) {
		err = c.of(worker).Call(ctx, rawMethods.Of(req.Action), &req.Msg, &reply)
		return reply, err
	})
}

// CallUnknown implements framework.MethodClient.
func (c *rawClient) CallUnknown(ctx context.Context) error {
	return c.of(0).Call(ctx, methodUnknown, new([]byte), new([]byte))
}
