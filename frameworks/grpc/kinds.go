package grpc

import (
	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/grpc/internal/bencher"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// protobufKind has the code of gRPC's generator, with gRPC's own codec.
var protobufKind = kind{
	name:    "protobuf",
	modules: []string{"google.golang.org/protobuf"},
	register: func(s *grpc.Server) {
		handlers := generatedService{service: service[protobuf.EchoMessage, protobuf.BenchMessage]{protobuf.Kind}}
		bencher.RegisterBencherServer(s, handlers)
		bencher.RegisterStreamerServer(s, handlers)
		describing(s)
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
