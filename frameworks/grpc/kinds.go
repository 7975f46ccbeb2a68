package grpc

import (
	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/grpc/internal/bencher"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// protobufKind has the code of gRPC's generator, with gRPC's own codec.
var protobufKind = kind{
	name:    "protobuf",
	modules: []string{"google.golang.org/protobuf"},
	register: func(s *grpc.Server) {
		handlers := generatedService{service: service[protobuf.EchoMessage, protobuf.BenchMessage, protobuf.BenchMessage]{protobuf.Kind}}
		bencher.RegisterBencherServer(s, handlers)
		bencher.RegisterStreamerServer(s, handlers)
		describing(s)
	},
	hello: func() (req, reply any) { return new(protobuf.EchoMessage), new(protobuf.EchoMessage) },
	client: func(conns []*grpc.ClientConn) framework.Client {
		return newClient(protobuf.Kind, conns, func(c *grpc.ClientConn) stub[protobuf.EchoMessage, protobuf.BenchMessage, protobuf.BenchMessage] {
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
		service[protobuf.EchoMessage, protobuf.BenchMessage, protobuf.BenchMessage]
	}
)

// sentKind has the messages of an exchange, with gRPC's own codec.
func sentKind[Q, R any](x message.Exchange[Q, R]) kind {
	return described(dynamic.Protobuf, protobuf.Sending(x))
}

// forced returns a kind with another serializer, which both sides are forced to use.
func forced[E, Q, R any](d dynamic.Codec, m native.Kind[E, Q, R]) kind {
	k := described(d, m)
	k.about = "; the serializer is set by ForceCodec" + k.about
	k.server = []grpc.ServerOption{grpc.ForceServerCodec(d)}
	k.calls = []grpc.CallOption{grpc.ForceCodec(d)}
	return k
}

// described describes the services by hand.
func described[E, Q, R any](d dynamic.Codec, k native.Kind[E, Q, R]) kind {
	s := service[E, Q, R]{k}
	return kind{
		name:     d.Name(),
		about:    "; the service is described by hand",
		modules:  d.Modules(),
		sent:     k.Sent,
		register: describe(streamer(s), unary("Echo", s.Echo), unary("Message", s.Message)),
		hello:    func() (req, reply any) { return new(E), new(E) },
		client: func(conns []*grpc.ClientConn) framework.Client {
			return newClient(k, conns, func(c *grpc.ClientConn) stub[E, Q, R] { return handStub[E, Q, R]{c} })
		},
	}
}
