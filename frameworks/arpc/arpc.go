// Package arpc adapts arpc, its server on the standard library's network and
// on nbio's event loop.
//
// Options are those that arpc starts with. Among them are batched reads and
// writes, a queue of 4096 messages for a connection's writer, handlers that
// run in goroutines of their own, and Nagle's algorithm, which arpc switches
// on for its connections.
package arpc

import (
	"sync"

	"github.com/lesismal/arpc"
	arpccodec "github.com/lesismal/arpc/codec"
	"github.com/lesismal/arpc/log"
	"github.com/lesismal/nbio/logging"
	"github.com/lesismal/nbio/taskpool"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// MaxMessage is the largest echo payload in bytes: arpc's own limit, 64 MiB
// less its header, is lifted on both sides.
const MaxMessage = 256 << 20

// maxBody leaves room for what the encoding adds to a payload: a third in
// JSON.
const maxBody = MaxMessage + MaxMessage/2

// Names of the methods.
const (
	methodEcho    = "/echo"
	methodMessage = "/message"
	methodStream  = "/stream"
	methodUnknown = "/unknown"
)

var rawMethods = native.RawMethods{Echo: methodEcho, Fail: "/fail"}

// setup is how both sides are set up beyond their messages.
type setup struct {
	transport, profile, pool string
	about                    string
	serve                    func(addr string, s setup, messages side) (framework.Server, error)
	modules                  []string
	streams                  bool
	both                     func(arpc.Handler)               // nil: nothing
	server                   func(arpc.Handler) (stop func()) // nil: nothing
}

const aboutWorkers = "SetAsyncExecutor with nbio's taskpool, at most 8192 goroutines and 1024 waiting requests"

var (
	onNet = setup{transport: "net", about: "batched reads and writes, a goroutine for each request", serve: serveNet, streams: true}
	// onNBIO's client is that of onNet: nbio is made for servers with more
	// connections than goroutines are good for. It has no streams: arpc keeps
	// them in connections that it has made itself.
	onNBIO = setup{
		transport: "nbio", about: "server on nbio's event loop, a goroutine for each request; client as in net",
		serve: serveNBIO, modules: []string{"github.com/lesismal/nbio"},
	}
	// The numbers of workers are those of arpcex (examples/nbio/server).
	netWorkers = setup{
		transport: "net", pool: "workers", about: aboutWorkers,
		serve: serveNet, modules: onNBIO.modules, server: workers, streams: true,
	}
	nbioWorkers = setup{
		transport: "nbio", pool: "workers", about: aboutWorkers,
		serve: serveNBIO, modules: onNBIO.modules, server: workers,
	}
	// unbatched shows what batching, which arpc does by itself, is worth.
	unbatched = setup{
		transport: "net-unbatched", about: "SetBatchRecv and SetBatchSend off on both sides: a read and a write for each message",
		serve: serveNet,
		both:  func(h arpc.Handler) { h.SetBatchRecv(false); h.SetBatchSend(false) },
	}
	// tuned has the one option with which arpc's author entered rpcx-benchmark
	// (arpc/server, arpc/client) and kitex-benchmark (protobuf/arpc).
	tuned = setup{
		transport: "net", profile: "tuned", about: "EnablePool: messages and their buffers are used again, on both sides",
		serve: serveNet, streams: true, both: func(h arpc.Handler) { h.EnablePool(true) },
	}
)

func workers(h arpc.Handler) (stop func()) {
	pool := taskpool.New(8*1024, 1024)
	h.SetAsyncExecutor(pool.Go)
	return pool.Stop
}

// Variants lists arpc with both of its servers and with any serializer.
func Variants() []framework.Variant {
	recommended := variant(dynamic.Protobuf, protobuf.Kind, onNet)
	recommended.Recommended = true
	return []framework.Variant{
		recommended,
		variant(dynamic.Gob, plain.Kind, onNet),
		variant(dynamic.JSON, plain.Kind, onNet),
		variant(dynamic.Msgpack, plain.Kind, onNet),
		rawVariant(onNet),
		variant(dynamic.Protobuf, protobuf.Kind, netWorkers),
		variant(dynamic.Protobuf, protobuf.Kind, tuned),
		variant(dynamic.Protobuf, protobuf.Kind, unbatched),
		variant(dynamic.Protobuf, protobuf.Kind, onNBIO),
		variant(dynamic.Protobuf, protobuf.Kind, nbioWorkers),
	}
}

func variant[E, B any](d dynamic.Codec, messages native.Kind[E, B], s setup) framework.Variant {
	v := s.variant(side{
		codec:  d,
		route:  func(h arpc.Handler) { route(h, messages) },
		client: func(c *connections) framework.Client { return &client[E, B]{c, messages} },
	})
	v.Codec, v.Async, v.Streams = d.Name(), true, s.streams
	v.Modules = append(v.Modules, d.Modules()...)
	if s.streams {
		v.About += "; a stream's end and its error are a last message of the handler's, as arpc has none"
	}
	return v
}

func rawVariant(s setup) framework.Variant {
	v := s.variant(side{
		codec:  arpccodec.DefaultCodec, // which arpc does not ask about []byte
		route:  routeRaw,
		client: func(c *connections) framework.Client { return &rawClient{c} },
	})
	v.Codec, v.Kind = "raw", framework.Bytes
	v.About += "; []byte, which arpc sends as it is"
	return v
}

// side is what the messages decide.
type side struct {
	codec  arpccodec.Codec
	route  func(arpc.Handler)
	client func(*connections) framework.Client
}

func (s setup) variant(messages side) framework.Variant {
	return framework.Variant{
		Framework: "arpc", Transport: s.transport, Profile: s.profile, Pool: s.pool,
		About:      s.about,
		MaxMessage: MaxMessage,
		Modules:    append([]string{"github.com/lesismal/arpc"}, s.modules...),
		Races:      framework.Races{Ending: "arpc writes running and reconnecting without a lock when it stops or loses its connection"},
		Serve: func(addr string) (framework.Server, error) {
			quiet()
			return s.serve(addr, s, messages)
		},
		Dial: func(addr string, o framework.DialOptions) (framework.Client, error) {
			return dial([]string{addr}, s, messages, o)
		},
		DialAll: func(addrs []string, o framework.DialOptions) (framework.Client, error) {
			return dial(addrs, s, messages, o)
		},
	}
}

// setUp sets h up for one side.
func (s setup) setUp(h arpc.Handler) {
	h.SetMaxBodyLen(maxBody)
	if s.both != nil {
		s.both(h)
	}
}

// setUpServer sets h up for a server and returns what ends its workers.
func (s setup) setUpServer(h arpc.Handler, messages side) (stop func()) {
	s.setUp(h)
	messages.route(h)
	if s.server == nil {
		return func() {}
	}
	return s.server(h)
}

// quiet silences arpc and nbio, which log to the standard output: for all of
// the process, since their loggers are global.
var quiet = sync.OnceFunc(func() {
	log.SetLevel(log.LevelNone)
	logging.SetLevel(logging.LevelNone)
})
