package grpc

import (
	"context"
	"errors"

	"google.golang.org/grpc"
	"google.golang.org/grpc/mem"

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

var rawMethods = native.RawMethods{Echo: methodEcho, Fail: "/" + serviceName + "/Fail"}

// stub is a generated client, or one that does what it does.
type stub[E, B any] interface {
	Echo(ctx context.Context, req *E, o ...grpc.CallOption) (*E, error)
	Message(ctx context.Context, req *B, o ...grpc.CallOption) (*B, error)
	Stream(ctx context.Context, o ...grpc.CallOption) (grpc.BidiStreamingClient[E, E], error)
}

// service is the handlers. The generated descriptions of services call it too.
type service[E, B any] struct{ messages native.Kind[E, B] }

func (s service[E, B]) Echo(_ context.Context, req *E) (*E, error) {
	return s.messages.HandleEcho(req)
}

func (s service[E, B]) Message(_ context.Context, req *B) (*B, error) {
	return s.messages.HandleMessage(req)
}

func (s service[E, B]) Stream(stream grpc.BidiStreamingServer[E, E]) error {
	return s.messages.HandleStream(stream.Recv, stream.Send)
}

// protobufCodec is what gRPC's generator makes, with gRPC's own codec.
var protobufCodec = codec[protobuf.EchoMessage, protobuf.BenchMessage]{
	name:     "protobuf",
	modules:  []string{"google.golang.org/protobuf"},
	messages: protobuf.Kind,
	stub: func(c grpc.ClientConnInterface) stub[protobuf.EchoMessage, protobuf.BenchMessage] {
		return generatedStub{bencher.NewBencherClient(c), bencher.NewStreamerClient(c)}
	},
	side: side{
		register: func(s *grpc.Server) {
			handlers := generatedService{service: service[protobuf.EchoMessage, protobuf.BenchMessage]{protobuf.Kind}}
			bencher.RegisterBencherServer(s, handlers)
			bencher.RegisterStreamerServer(s, handlers)
		},
		hello: func() (req, reply any) { return new(protobuf.EchoMessage), new(protobuf.EchoMessage) },
	},
}

// What is generated, of both services.
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

// forced is another serializer, forced on both sides over descriptions of the
// services by hand.
func forced[E, B any](d dynamic.Codec, messages native.Kind[E, B]) codec[E, B] {
	s := service[E, B]{messages}
	return codec[E, B]{
		name:     d.Name(),
		modules:  d.Modules(),
		messages: messages,
		stub:     func(c grpc.ClientConnInterface) stub[E, B] { return handStub[E, B]{c} },
		side: side{
			about:    "; ForceCodec, the service described by hand",
			register: describe(streamer(s), unary("Echo", s.Echo), unary("Message", s.Message)),
			server:   []grpc.ServerOption{grpc.ForceServerCodec(d)},
			client:   []grpc.CallOption{grpc.ForceCodec(d)},
			hello:    func() (req, reply any) { return new(E), new(E) },
		},
	}
}

// describe registers the services: calls with their methods, and streams.
func describe(streams grpc.StreamDesc, methods ...grpc.MethodDesc) func(*grpc.Server) {
	return func(s *grpc.Server) {
		s.RegisterService(&grpc.ServiceDesc{ServiceName: serviceName, Methods: methods}, nil)
		s.RegisterService(&grpc.ServiceDesc{ServiceName: streamerName, Streams: []grpc.StreamDesc{streams}}, nil)
	}
}

// streamer describes the method of streams as generated code does.
func streamer[E, B any](s service[E, B]) grpc.StreamDesc {
	desc := streamDesc
	desc.Handler = func(_ any, stream grpc.ServerStream) error {
		return s.Stream(&grpc.GenericServerStream[E, E]{ServerStream: stream})
	}
	return desc
}

// streamDesc is what both sides know of the method.
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

// handStub calls as a generated client does.
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

// rawSide is bytes without a serializer.
var rawSide = side{
	register: describe(
		streamer(service[framework.EchoMessage, struct{}]{native.Raw}),
		unary("Echo", func(_ context.Context, req *mem.BufferSlice) (*mem.BufferSlice, error) { return req, nil }),
		unary("Fail", func(_ context.Context, req *mem.BufferSlice) (*mem.BufferSlice, error) {
			req.Free()
			return nil, framework.HandleEcho(framework.ActionFail)
		}),
	),
	server: []grpc.ServerOption{grpc.ForceServerCodecV2(raw{})},
	client: []grpc.CallOption{grpc.ForceCodecV2(raw{})},
	hello:  func() (req, reply any) { return new([]byte), new([]byte) },
}

// raw implements encoding.CodecV2 over bytes. A client's messages are *[]byte:
// requests are sent as they are and replies get memory of their own. A server's
// are *mem.BufferSlice, in which it keeps gRPC's buffers from being used again
// until the reply, made of the same ones, has been sent. The messages of a stream
// are *framework.EchoMessage on both sides, see packAction.
type raw struct{}

// Marshal implements encoding.CodecV2.
func (raw) Marshal(v any) (mem.BufferSlice, error) {
	switch m := v.(type) {
	case *[]byte:
		return mem.BufferSlice{mem.SliceBuffer(*m)}, nil
	case *mem.BufferSlice:
		return *m, nil // with the reference that Unmarshal took
	case *framework.EchoMessage:
		return packAction(m), nil
	}
	return nil, errNotRaw
}

// Unmarshal implements encoding.CodecV2.
func (raw) Unmarshal(data mem.BufferSlice, v any) error {
	switch m := v.(type) {
	case *[]byte:
		*m = data.Materialize()
		return nil
	case *mem.BufferSlice:
		data.Ref()
		*m = data
		return nil
	case *framework.EchoMessage:
		return unpackAction(data.Materialize(), m)
	}
	return errNotRaw
}

// packAction puts a byte with the length of the action and the action before
// the bytes. These are copied, as gRPC writes them when Send has returned.
func packAction(m *framework.EchoMessage) mem.BufferSlice {
	action := append([]byte{byte(len(m.Action))}, m.Action...)
	return mem.BufferSlice{mem.SliceBuffer(action), mem.Copy(m.Msg, mem.DefaultBufferPool())}
}

// unpackAction is the way back. The message keeps b.
func unpackAction(b []byte, m *framework.EchoMessage) error {
	if len(b) == 0 || len(b) <= int(b[0]) {
		return errNotRaw
	}
	end := 1 + int(b[0])
	m.Action, m.Msg = string(b[1:end]), b[end:]
	return nil
}

var errNotRaw = errors.New("grpc: the message is not raw bytes")

// Name implements encoding.CodecV2.
func (raw) Name() string { return "raw" }
