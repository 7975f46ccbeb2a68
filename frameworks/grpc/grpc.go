// Package grpc adapts gRPC over HTTP/2, with its own server and behind that of net/http.
package grpc

import (
	"math"
	"runtime"

	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// MaxMessage is the largest echo payload in bytes: gRPC's own limit, 4 MiB for
// what is received, is lifted on both sides.
const MaxMessage = 256 << 20

// maxEncoded leaves room for what the encoding adds to a payload: a third in
// JSON.
const maxEncoded = MaxMessage + MaxMessage/2

// setup is how both sides are configured.
type setup struct {
	profile, pool string
	served        bool // by net/http

	about  string
	server func() []grpc.ServerOption
	client []grpc.DialOption
	layers framework.Stack
}

var (
	plainly = setup{about: "each connection is a ClientConn", server: noOptions}
	// workers has the number of workers that the comment of gRPC's
	// NumStreamWorkers reports as the best.
	workers = setup{
		pool: "workers", about: plainly.about + "; NumStreamWorkers is the number of the server's procs",
		server: func() []grpc.ServerOption { return streamWorkers(runtime.GOMAXPROCS(0)) },
	}
	// tuned has the options of gRPC's own benchmarks benchmark/worker and
	// benchmark/server. Its other benchmarks try shared write buffers and pooled
	// message buffers, which are gRPC's defaults now.
	tuned = setup{
		profile: "tuned", about: plainly.about + "; read and write buffers have 128 KiB instead of 32 KiB",
		server: func() []grpc.ServerOption {
			return []grpc.ServerOption{grpc.ReadBufferSize(tunedBuffer), grpc.WriteBufferSize(tunedBuffer)}
		},
		client: []grpc.DialOption{grpc.WithReadBufferSize(tunedBuffer), grpc.WithWriteBufferSize(tunedBuffer)},
	}
	// servehttp is how a server of net/http has calls of gRPC beside other requests.
	servehttp = setup{
		served: true, about: plainly.about + "; the server is net/http's, with HTTP/2 without TLS and without its limit of 250 calls at once on a connection",
		server: noOptions,
	}
)

// windowed returns a setup with fixed windows. By default gRPC starts with windows of
// 64 KiB, which grow as it measures the network. Some servers do not answer these
// measurements.
func windowed(window int) setup {
	conn := int32(min(connStreams*window, math.MaxInt32))
	return setup{
		about: plainly.about + "; receive windows are fixed, that of a connection at four times as much",
		server: func() []grpc.ServerOption {
			return []grpc.ServerOption{grpc.StaticStreamWindowSize(int32(window)), grpc.StaticConnWindowSize(conn)}
		},
		client: []grpc.DialOption{grpc.WithStaticStreamWindowSize(int32(window)), grpc.WithStaticConnWindowSize(conn)},
	}
}

const (
	// leastWindow is HTTP/2's own window. gRPC ignores smaller ones.
	leastWindow = 1<<16 - 1
	// connStreams is how many streams with a full window a connection's window is for.
	connStreams = 4
	// wideWindow is large enough for a transfer of 4 MiB.
	wideWindow = 16 << 20
)

// windows describes the windows of the recommended variant.
func windows() *framework.Windows {
	return &framework.Windows{
		Default: "64 KiB at first, of a stream and of a connection, which grow as gRPC measures the network",
		Least:   leastWindow,
		With:    func(bytes int) framework.Variant { return variant(windowed(bytes), protobufKind) },
	}
}

const tunedBuffer = 128 << 10

func noOptions() []grpc.ServerOption { return nil }

// Variants lists gRPC with its own serializer, and with others that replace it.
func Variants() []framework.Variant {
	recommended := variant(plainly, protobufKind)
	recommended.Recommended, recommended.Windows, recommended.Layers = true, windows(), layers()
	wide := recommended.Windows.With(wideWindow)
	wide.Window = "16MiB"
	return []framework.Variant{
		recommended,
		variant(plainly, forced(dynamic.Gob, plain.Kind)),
		variant(plainly, forced(dynamic.JSON, plain.Kind)),
		variant(plainly, forced(dynamic.Msgpack, plain.Kind)),
		variant(plainly, vtprotoKind()),
		variant(plainly, rawKind),
		variant(workers, protobufKind),
		variant(tuned, protobufKind),
		variant(servehttp, protobufKind),
		wide,
	}
}

func variant(s setup, k kind) framework.Variant {
	d := dialer{s, k}
	v := framework.Variant{
		Keys:        framework.Keys{Framework: "grpc", Transport: s.transport(), Codec: k.name, Profile: s.profile, Pool: s.pool},
		About:       s.about + k.about,
		Modules:     append([]string{"google.golang.org/grpc"}, k.modules...),
		Abilities:   framework.Abilities{Kind: k.carries, Streams: true},
		Connections: framework.Connections{Unix: true},
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Unknown:     unknown,
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s, k) },
		Dial:        d.dial,
		DialAll:     d.dialAll,
	}
	if s.pool != "" {
		v.ServePool = func(addr string, workers int) (framework.Server, error) { return serve(addr, s.with(workers), k) }
	}
	return v
}

func (s setup) transport() string {
	if s.served {
		return "servehttp"
	}
	return "h2"
}

// with returns the setup with another number of workers. If all are busy, gRPC starts a
// goroutine for a request.
func (s setup) with(workers int) setup {
	s.server = func() []grpc.ServerOption { return streamWorkers(workers) }
	return s
}

func streamWorkers(n int) []grpc.ServerOption {
	return []grpc.ServerOption{grpc.NumStreamWorkers(uint32(n))}
}
