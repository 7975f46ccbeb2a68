package brpc

import (
	"context"
	"errors"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/rpc"
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/wire"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client)(nil)
	_ framework.AsyncClient   = (*client)(nil)
	_ framework.MethodClient  = (*rawClient)(nil)
)

// connections are shared by all workers.
type connections []*rpc.Conn

func dial(addr string, s setup, k kind, o framework.DialOptions) (framework.Client, error) {
	opened, err := conns.Open(o.Conns, func() (*rpc.Conn, error) { return s.open(addr) }, (*rpc.Conn).Close)
	if err != nil {
		return nil, err
	}
	return k.client(opened, s.carries(k)), nil
}

func (s setup) open(addr string) (*rpc.Conn, error) {
	c, err := rpc.Dial(addr, s.protocol, s.window)
	if err == nil && s.layers.Has(framework.Gzip) {
		c.Compress()
	}
	return c, err
}

// of returns the connection of a worker's next call.
func (c connections) of(worker int) *rpc.Conn { return c[worker%len(c)] }

// CallUnknown implements framework.MethodClient.
func (c connections) CallUnknown(ctx context.Context) error {
	_, err := call(ctx, c.of(0), methodUnknown, &protobuf.EchoMessage{})
	return err
}

// unknown reports whether err is brpc's for a method or a service that the server does not
// have.
func unknown(err error) bool {
	var e *rpc.Error
	return errors.As(err, &e) && (e.Code == rpc.CodeNoMethod || e.Code == rpc.CodeNoService)
}

// Close implements framework.Client.
func (c connections) Close() error { return conns.Shut(c, (*rpc.Conn).Close) }

// pointer is a pointer to a message of type M.
type pointer[M any] interface {
	*M
	proto.Message
}

// call calls a method whose response has the type of its request.
func call[M any, P pointer[M]](ctx context.Context, c *rpc.Conn, m wire.Method, req P) (P, error) {
	answer := P(new(M))
	_, err := c.Call(ctx, m, req, answer, nil)
	return answer, err
}

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
