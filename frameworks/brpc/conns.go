package brpc

import (
	"context"
	"errors"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/rpc"
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/wire"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
)

// connections are shared by all workers.
type connections []*rpc.Conn

// of returns the connection of a worker's next call.
func (c connections) of(worker int) *rpc.Conn { return c[worker%len(c)] }

// CallUnknown implements framework.MethodClient.
func (c connections) CallUnknown(ctx context.Context) error {
	_, err := call(ctx, c.of(0), methodUnknown, &protobuf.EchoMessage{})
	return err
}

// Close implements framework.Client.
func (c connections) Close() error { return conns.Shut(c, (*rpc.Conn).Close) }

// unknown reports whether err is brpc's for a method or a service that the server does not
// have.
func unknown(err error) bool {
	var e *rpc.Error
	return errors.As(err, &e) && (e.Code == rpc.CodeNoMethod || e.Code == rpc.CodeNoService)
}

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
