package grpc

import (
	"context"

	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
)

// service has the handlers. The generated descriptions of services call them too.
type service[E, Q, R any] struct{ kind native.Kind[E, Q, R] }

func (s service[E, Q, R]) Echo(_ context.Context, req *E) (*E, error) {
	return s.kind.HandleEcho(req)
}

func (s service[E, Q, R]) Message(_ context.Context, req *Q) (*R, error) {
	return s.kind.HandleMessage(req)
}

func (s service[E, Q, R]) Stream(stream grpc.BidiStreamingServer[E, E]) error {
	return s.kind.HandleStream(stream.Recv, stream.Send)
}

// describe returns a function that registers the services: the one with the methods,
// and the one with the stream.
func describe(streams grpc.StreamDesc, methods ...grpc.MethodDesc) func(*grpc.Server) {
	return func(s *grpc.Server) {
		s.RegisterService(&grpc.ServiceDesc{ServiceName: serviceName, Methods: methods}, nil)
		s.RegisterService(&grpc.ServiceDesc{ServiceName: streamerName, Streams: []grpc.StreamDesc{streams}}, nil)
	}
}

// streamer describes the stream's method as generated code does.
func streamer[E, Q, R any](s service[E, Q, R]) grpc.StreamDesc {
	desc := streamDesc
	desc.Handler = func(_ any, stream grpc.ServerStream) error {
		return s.Stream(&grpc.GenericServerStream[E, E]{ServerStream: stream})
	}
	return desc
}

// streamDesc describes the stream's method to both sides.
var streamDesc = grpc.StreamDesc{StreamName: "Stream", ServerStreams: true, ClientStreams: true}

// unary describes a method as generated code does.
func unary[Q, R any](name string, handle func(context.Context, *Q) (*R, error)) grpc.MethodDesc {
	handler := func(ctx context.Context, req any) (any, error) { return handle(ctx, req.(*Q)) }
	info := &grpc.UnaryServerInfo{FullMethod: "/" + serviceName + "/" + name}
	return grpc.MethodDesc{MethodName: name, Handler: func(_ any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
		req := new(Q)
		if err := decode(req); err != nil {
			return nil, err
		}
		if intercept != nil {
			return intercept(ctx, req, info, handler)
		}
		return handle(ctx, req)
	}}
}
