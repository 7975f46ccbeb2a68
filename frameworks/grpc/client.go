package grpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client[protobuf.EchoMessage, protobuf.BenchMessage, protobuf.BenchMessage])(nil)
	_ framework.StreamClient  = (*client[protobuf.EchoMessage, protobuf.BenchMessage, protobuf.BenchMessage])(nil)
)

// client shares its connections among all workers. Each connection has a ClientConn of
// its own, because a ClientConn opens only one connection to an address.
type client[E, Q, R any] struct {
	kind  native.Kind[E, Q, R]
	conns []*grpc.ClientConn
	stubs []stub[E, Q, R] // one for each of conns
}

func newClient[E, Q, R any](k native.Kind[E, Q, R], conns []*grpc.ClientConn, newStub func(*grpc.ClientConn) stub[E, Q, R]) *client[E, Q, R] {
	c := &client[E, Q, R]{kind: k, conns: conns}
	for _, conn := range conns {
		c.stubs = append(c.stubs, newStub(conn))
	}
	return c
}

// of returns the stub of a worker's next call.
func (c *client[E, Q, R]) of(worker int) stub[E, Q, R] { return c.stubs[worker%len(c.stubs)] }

// Echo implements framework.Client.
func (c *client[E, Q, R]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.kind.Echo(requests, check, func(ctx context.Context, worker int, req *E) (*E, error) {
		return c.of(worker).Echo(ctx, req)
	})
}

// Message implements framework.MessageClient.
func (c *client[E, Q, R]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.kind.Message(workers, check, func(ctx context.Context, worker int, req *Q) (*R, error) {
		return c.of(worker).Message(ctx, req)
	})
}

// CallUnknown implements framework.MethodClient.
func (c *client[E, Q, R]) CallUnknown(ctx context.Context) error {
	return c.conns[0].Invoke(ctx, methodUnknown, new(E), new(E))
}

// unknown reports whether err is gRPC's for a method that the server does not have.
func unknown(err error) bool { return status.Code(err) == codes.Unimplemented }

// OpenStream implements framework.StreamClient.
func (c *client[E, Q, R]) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	return openStream(ctx, c.kind, c.of(worker).Stream)
}

// Close implements framework.Client.
func (c *client[E, Q, R]) Close() error {
	return conns.Shut(c.conns, (*grpc.ClientConn).Close)
}
