package grpc

import (
	"context"

	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MethodClient = (*rawClient)(nil)
	_ framework.StreamClient = (*rawClient)(nil)
)

// rawClient is client for bytes.
type rawClient struct {
	conns []*grpc.ClientConn
}

// Echo implements framework.Client.
func (c *rawClient) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return native.RawEcho(requests, check, func(ctx context.Context, worker int, req *framework.EchoMessage) ([]byte, error) {
		reply, err := invoke[[]byte](ctx, c.of(worker), rawMethods.Of(req.Action), &req.Msg, nil)
		if err != nil {
			return nil, err
		}
		return *reply, nil
	})
}

// of returns the connection of a worker's next call.
func (c *rawClient) of(worker int) *grpc.ClientConn { return c.conns[worker%len(c.conns)] }

// CallUnknown implements framework.MethodClient.
func (c *rawClient) CallUnknown(ctx context.Context) error {
	return c.conns[0].Invoke(ctx, methodUnknown, new([]byte), new([]byte))
}

// OpenStream implements framework.StreamClient.
func (c *rawClient) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	return openStream(ctx, native.Raw, handStub[framework.EchoMessage, struct{}, struct{}]{c.of(worker)}.Stream)
}

// Close implements framework.Client.
func (c *rawClient) Close() error {
	return conns.Shut(c.conns, (*grpc.ClientConn).Close)
}
