package grpc

import (
	"context"

	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// handStub makes calls as a generated client does.
type handStub[E, Q, R any] struct{ conn grpc.ClientConnInterface }

func (s handStub[E, Q, R]) Echo(ctx context.Context, req *E, o ...grpc.CallOption) (*E, error) {
	return invoke[E](ctx, s.conn, methodEcho, req, o)
}

func (s handStub[E, Q, R]) Message(ctx context.Context, req *Q, o ...grpc.CallOption) (*R, error) {
	return invoke[R](ctx, s.conn, methodMessage, req, o)
}

func (s handStub[E, Q, R]) Stream(ctx context.Context, o ...grpc.CallOption) (grpc.BidiStreamingClient[E, E], error) {
	stream, err := s.conn.NewStream(ctx, &streamDesc, methodStream, append([]grpc.CallOption{grpc.StaticMethod()}, o...)...)
	return &grpc.GenericClientStream[E, E]{ClientStream: stream}, err
}

func invoke[R any](ctx context.Context, c grpc.ClientConnInterface, method string, req any, o []grpc.CallOption) (*R, error) {
	reply := new(R)
	if err := c.Invoke(ctx, method, req, reply, append([]grpc.CallOption{grpc.StaticMethod()}, o...)...); err != nil {
		return nil, err
	}
	return reply, nil
}

// openStream opens a stream with a context of its own, because cancelling the context
// is gRPC's only way to give a stream up.
func openStream[E, Q, R any](ctx context.Context, k native.Kind[E, Q, R], open func(context.Context, ...grpc.CallOption) (grpc.BidiStreamingClient[E, E], error)) (framework.EchoStream, error) {
	ctx, cancel := context.WithCancel(ctx)
	s, err := open(ctx)
	if err != nil {
		cancel()
		return nil, err
	}
	giveUp := func() error { cancel(); return nil }
	return k.Stream(native.Stream[E]{Send: s.Send, Recv: s.Recv, CloseSend: s.CloseSend, Close: giveUp}), nil
}
