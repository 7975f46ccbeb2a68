package grpc

import (
	"math"
	"runtime"

	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
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
	layers layer.Stack
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

const tunedBuffer = 128 << 10

func noOptions() []grpc.ServerOption { return nil }

func streamWorkers(n int) []grpc.ServerOption {
	return []grpc.ServerOption{grpc.NumStreamWorkers(uint32(n))}
}

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
