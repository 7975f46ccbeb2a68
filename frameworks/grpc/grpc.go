// Package grpc adapts gRPC over HTTP/2, the one transport it has.
package grpc

import (
	"runtime"

	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// MaxMessage is the largest echo payload in bytes: gRPC's own limit, 4 MiB for
// what is received, is lifted on both sides.
const MaxMessage = 256 << 20

// maxEncoded leaves room for what the encoding adds to a payload: a third in
// JSON.
const maxEncoded = MaxMessage + MaxMessage/2

// setup is how both sides are set up beyond their messages.
type setup struct {
	profile, pool, window string

	about  string
	server func() []grpc.ServerOption
	client []grpc.DialOption
}

var (
	plainly = setup{about: "a ClientConn for each connection", server: noOptions}
	// workers has as many as a comment in gRPC's NumStreamWorkers found best.
	workers = setup{
		pool: "workers", about: plainly.about + "; NumStreamWorkers, one for each of the server's procs",
		server: func() []grpc.ServerOption {
			return []grpc.ServerOption{grpc.NumStreamWorkers(uint32(runtime.GOMAXPROCS(0)))}
		},
	}
	// tuned has the options of gRPC's own benchmarks (benchmark/worker and
	// benchmark/server). Shared write buffers and pooled ones for messages,
	// which its others try, are what gRPC now does by itself.
	tuned = setup{
		profile: "tuned", about: plainly.about + "; read and write buffers of 128 KiB instead of 32",
		server: func() []grpc.ServerOption {
			return []grpc.ServerOption{grpc.ReadBufferSize(tunedBuffer), grpc.WriteBufferSize(tunedBuffer)}
		},
		client: []grpc.DialOption{grpc.WithReadBufferSize(tunedBuffer), grpc.WithWriteBufferSize(tunedBuffer)},
	}
)

// windowed has windows that a transfer of 4 MiB does not wait for. gRPC by itself
// starts with 64 KiB and lets them grow with what it measures of the network,
// which some servers do not answer.
var windowed = setup{
	window: "16MiB", about: plainly.about + "; windows of 16 MiB for a stream and 64 MiB for a connection, which stay so",
	server: func() []grpc.ServerOption {
		return []grpc.ServerOption{grpc.InitialWindowSize(streamWindow), grpc.InitialConnWindowSize(connWindow)}
	},
	client: []grpc.DialOption{grpc.WithInitialWindowSize(streamWindow), grpc.WithInitialConnWindowSize(connWindow)},
}

const (
	streamWindow = 16 << 20
	connWindow   = 64 << 20
)

const tunedBuffer = 128 << 10

func noOptions() []grpc.ServerOption { return nil }

// Variants lists gRPC with its own serializer and with those that its users
// can force on it.
func Variants() []framework.Variant {
	recommended := variant(protobufCodec, plainly)
	recommended.Recommended = true
	return []framework.Variant{
		recommended,
		variant(forced(dynamic.Gob, plain.Kind), plainly),
		variant(forced(dynamic.JSON, plain.Kind), plainly),
		variant(forced(dynamic.Msgpack, plain.Kind), plainly),
		rawVariant(plainly),
		variant(protobufCodec, workers),
		variant(protobufCodec, tuned),
		variant(protobufCodec, windowed),
	}
}

func variant[E, B any](c codec[E, B], s setup) framework.Variant {
	v := s.variant(c.side, func(conns []*grpc.ClientConn) framework.Client { return newClient(conns, c) })
	v.Codec = c.name
	v.Modules = append(v.Modules, c.modules...)
	return v
}

func rawVariant(s setup) framework.Variant {
	v := s.variant(rawSide, func(conns []*grpc.ClientConn) framework.Client { return &rawClient{conns} })
	v.Codec, v.Kind = "raw", framework.Bytes
	v.About += "; bytes by a CodecV2, which the server hands back in gRPC's own buffers"
	return v
}

func (s setup) variant(messages side, client func([]*grpc.ClientConn) framework.Client) framework.Variant {
	d := dialer{side: messages, options: s.client, client: client}
	return framework.Variant{
		Framework: "grpc", Transport: "h2", Profile: s.profile, Pool: s.pool, Window: s.window,
		About:      s.about + messages.about,
		MaxMessage: MaxMessage, Streams: true,
		Modules: []string{"google.golang.org/grpc"},
		Serve:   func(addr string) (framework.Server, error) { return serve(addr, messages, s.server()) },
		Dial:    d.dial,
		DialAll: d.dialAll,
	}
}

// codec is a serializer and how services are described with it. E and B are
// its echo and bench messages.
type codec[E, B any] struct {
	side
	name     string
	modules  []string
	messages native.Kind[E, B]
	stub     func(grpc.ClientConnInterface) stub[E, B]
}

// side is what the messages decide.
type side struct {
	about    string
	register func(*grpc.Server)
	server   []grpc.ServerOption
	client   []grpc.CallOption
	hello    func() (req, reply any) // of the echo that proves a connection
}
