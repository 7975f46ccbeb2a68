package arpc

import (
	"context"

	"github.com/lesismal/arpc"

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
		return reply, c.call(ctx, worker, methodEcho, req, reply)
	})
}

// Message implements framework.MessageClient.
func (c *client[E, Q, R]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.kind.Message(workers, check, func(ctx context.Context, worker int, req *Q) (*R, error) {
		reply := new(R)
		return reply, c.call(ctx, worker, methodMessage, req, reply)
	})
}

// EchoAsync implements framework.AsyncClient. arpc calls back in the goroutine that
// reads the connection.
func (c *client[E, Q, R]) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.AsyncCall {
	flights := c.kind.Flights(requests, check)
	return func(ctx context.Context, worker int, done func(error)) {
		req, reply := flights.Start(ctx, worker, done)
		err := c.of(worker).CallAsync(methodEcho, req, func(answer *arpc.Context, err error) {
			if err == nil {
				err = answer.Bind(reply)
			}
			flights.End(worker, reply, err)
		}, patience(ctx))
		if err != nil {
			flights.End(worker, reply, err)
		}
	}
}

// CallUnknown implements framework.MethodClient.
func (c *client[E, Q, R]) CallUnknown(ctx context.Context) error {
	return c.call(ctx, 0, methodUnknown, new(E), new(E))
}

// rawClient makes calls with bytes.
type rawClient struct{ *connections }

// Echo implements framework.Client.
func (c *rawClient) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return native.RawEcho(requests, check, func(ctx context.Context, worker int, req *framework.EchoMessage) (reply []byte, err error) {
		err = c.call(ctx, worker, rawMethods.Of(req.Action), &req.Msg, &reply)
		return reply, err
	})
}

// CallUnknown implements framework.MethodClient.
func (c *rawClient) CallUnknown(ctx context.Context) error {
	return c.call(ctx, 0, methodUnknown, new([]byte), new([]byte))
}
