package brpc

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client)(nil)
	_ framework.AsyncClient   = (*client)(nil)
	_ framework.MethodClient  = (*rawClient)(nil)
)

// client sends payloads in messages.
type client struct{ connections }

// Echo implements framework.Client.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return protobuf.Kind.Echo(requests, check, func(ctx context.Context, worker int, req *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
		return call(ctx, c.of(worker), methodEcho, req)
	})
}

// Message implements framework.MessageClient.
func (c *client) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return protobuf.Kind.Message(workers, check, func(ctx context.Context, worker int, req *protobuf.BenchMessage) (*protobuf.BenchMessage, error) {
		return call(ctx, c.of(worker), methodMessage, req)
	})
}

// EchoAsync implements framework.AsyncClient. The goroutine that reads the connection
// decodes the answers.
func (c *client) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.AsyncCall {
	return protobuf.Kind.EchoAsync(requests, check, func(ctx context.Context, worker int, req, reply *protobuf.EchoMessage, done func(error)) {
		c.of(worker).Go(ctx, methodEcho, req, reply, done)
	})
}

// rawClient sends payloads as attachments.
type rawClient struct{ connections }

// Echo implements framework.Client.
func (c *rawClient) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	natives := make([]*protobuf.EchoMessage, len(requests))
	for i, r := range requests {
		natives[i] = &protobuf.EchoMessage{Action: r.Action}
	}
	return func(ctx context.Context, worker int) error {
		answer := new(protobuf.EchoMessage)
		msg, err := c.of(worker).Call(ctx, methodEcho, natives[worker], answer, requests[worker].Msg)
		if err != nil {
			return err
		}
		return check(worker, framework.EchoMessage{Action: answer.Action, Msg: msg})
	}
}
