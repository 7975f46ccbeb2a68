package grpc

import (
	"context"

	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/grpc/internal/bencher"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Full names of the methods.
const (
	serviceName   = "rpcbench.Bencher"
	methodEcho    = bencher.Bencher_Echo_FullMethodName
	methodMessage = bencher.Bencher_Message_FullMethodName
	methodUnknown = "/" + serviceName + "/Unknown"

	streamerName = "rpcbench.Streamer"
	methodStream = bencher.Streamer_Stream_FullMethodName
)

// kind says which messages are sent, and how: a serializer, and the descriptions of the
// services with it.
type kind struct {
	name     string
	about    string
	carries  framework.Kind
	modules  []string
	register func(*grpc.Server)
	server   []grpc.ServerOption
	calls    []grpc.CallOption
	hello    func() (req, reply any) // messages of the echo that tries a connection
	client   func([]*grpc.ClientConn) framework.Client
}

// stub is a generated client, or one written by hand that does the same.
type stub[E, B any] interface {
	Echo(ctx context.Context, req *E, o ...grpc.CallOption) (*E, error)
	Message(ctx context.Context, req *B, o ...grpc.CallOption) (*B, error)
	Stream(ctx context.Context, o ...grpc.CallOption) (grpc.BidiStreamingClient[E, E], error)
}

// service has the handlers. The generated descriptions of services call them too.
type service[E, B any] struct{ kind native.Kind[E, B] }

func (s service[E, B]) Echo(_ context.Context, req *E) (*E, error) {
	return s.kind.HandleEcho(req)
}

func (s service[E, B]) Message(_ context.Context, req *B) (*B, error) {
	return s.kind.HandleMessage(req)
}

func (s service[E, B]) Stream(stream grpc.BidiStreamingServer[E, E]) error {
	return s.kind.HandleStream(stream.Recv, stream.Send)
}

// protobufKind has the code of gRPC's generator, with gRPC's own codec.
var protobufKind = kind{
	name:    "protobuf",
	modules: []string{"google.golang.org/protobuf"},
	register: func(s *grpc.Server) {
		handlers := generatedService{service: service[protobuf.EchoMessage, protobuf.BenchMessage]{protobuf.Kind}}
		bencher.RegisterBencherServer(s, handlers)
		bencher.RegisterStreamerServer(s, handlers)
	},
	hello: func() (req, reply any) { return new(protobuf.EchoMessage), new(protobuf.EchoMessage) },
	client: func(conns []*grpc.ClientConn) framework.Client {
		return newClient(protobuf.Kind, conns, func(c *grpc.ClientConn) stub[protobuf.EchoMessage, protobuf.BenchMessage] {
			return generatedStub{bencher.NewBencherClient(c), bencher.NewStreamerClient(c)}
		})
	},
}

// Generated types of both services.
type (
	generatedStub struct {
		bencher.BencherClient
		bencher.StreamerClient
	}
	generatedService struct {
		bencher.UnsafeBencherServer
		bencher.UnsafeStreamerServer
		service[protobuf.EchoMessage, protobuf.BenchMessage]
	}
)

// forced returns a kind with another serializer, which both sides are forced to use. It
// describes the services by hand.
func forced[E, B any](d dynamic.Codec, k native.Kind[E, B]) kind {
	s := service[E, B]{k}
	return kind{
		name:     d.Name(),
		about:    "; the serializer is set by ForceCodec; the service is described by hand",
		modules:  d.Modules(),
		register: describe(streamer(s), unary("Echo", s.Echo), unary("Message", s.Message)),
		server:   []grpc.ServerOption{grpc.ForceServerCodec(d)},
		calls:    []grpc.CallOption{grpc.ForceCodec(d)},
		hello:    func() (req, reply any) { return new(E), new(E) },
		client: func(conns []*grpc.ClientConn) framework.Client {
			return newClient(k, conns, func(c *grpc.ClientConn) stub[E, B] { return handStub[E, B]{c} })
		},
	}
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
func streamer[E, B any](s service[E, B]) grpc.StreamDesc {
	desc := streamDesc
	desc.Handler = func(_ any, stream grpc.ServerStream) error {
		return s.Stream(&grpc.GenericServerStream[E, E]{ServerStream: stream})
	}
	return desc
}

// streamDesc describes the stream's method to both sides.
var streamDesc = grpc.StreamDesc{StreamName: "Stream", ServerStreams: true, ClientStreams: true}

// unary describes a method as generated code does.
func unary[M any](name string, handle func(context.Context, *M) (*M, error)) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: name, Handler: func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		req := new(M)
		if err := decode(req); err != nil {
			return nil, err
		}
		return handle(ctx, req)
	}}
}

// handStub makes calls as a generated client does.
type handStub[E, B any] struct{ conn grpc.ClientConnInterface }

func (s handStub[E, B]) Echo(ctx context.Context, req *E, o ...grpc.CallOption) (*E, error) {
	return invoke(ctx, s.conn, methodEcho, req, o)
}

func (s handStub[E, B]) Message(ctx context.Context, req *B, o ...grpc.CallOption) (*B, error) {
	return invoke(ctx, s.conn, methodMessage, req, o)
}

func (s handStub[E, B]) Stream(ctx context.Context, o ...grpc.CallOption) (grpc.BidiStreamingClient[E, E], error) {
	stream, err := s.conn.NewStream(ctx, &streamDesc, methodStream, append([]grpc.CallOption{grpc.StaticMethod()}, o...)...)
	return &grpc.GenericClientStream[E, E]{ClientStream: stream}, err
}

func invoke[M any](ctx context.Context, c grpc.ClientConnInterface, method string, req *M, o []grpc.CallOption) (*M, error) {
	reply := new(M)
	if err := c.Invoke(ctx, method, req, reply, append([]grpc.CallOption{grpc.StaticMethod()}, o...)...); err != nil {
		return nil, err
	}
	return reply, nil
}
