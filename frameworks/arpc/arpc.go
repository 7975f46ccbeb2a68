// Package arpc adapts arpc. Its server runs on the standard library's network or on
// nbio's event loop.
//
// Options are arpc's defaults. Among them are batched reads and writes, a queue of
// 4096 messages for a connection's writer, handlers in goroutines of their own, and
// Nagle's algorithm, which arpc turns on for its connections.
package arpc

import (
	"slices"
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

// announced is what a few bytes of a stranger can do.
const announced = "arpc allocates a message when its header has arrived, up to SetMaxBodyLen, set to 384 MiB on both sides"

// Names of the methods.
const (
	methodEcho    = "/echo"
	methodMessage = "/message"
	methodStream  = "/stream"
	methodUnknown = "/unknown"
)

var rawMethods = native.RawMethods{Echo: methodEcho, Fail: "/fail"}

// setup is how both sides are configured.
type setup struct {
	transport, profile, pool string
	rank                     framework.Rank
	about                    string
	serve                    func(addr string, s setup, k kind) (framework.Server, error)
	modules                  []string
	streams                  bool
	both                     func(arpc.Handler)               // sets up the handler of either side; may be nil
	server                   func(arpc.Handler) (stop func()) // sets up the server's handler; may be nil
	layers                   framework.Stack
}

// What the variants say about themselves.
const (
	aboutBatched   = "reads and writes are batched, arpc's default; "
	aboutNagle     = "Nagle's algorithm is on, arpc's default, but for `profile=nodelay`: some replies wait up to 40 ms; "
	aboutGoroutine = "each request has a goroutine, arpc's default"
	aboutNBIO      = "the server runs on nbio's event loop; the client is that of `transport=net`; "
	aboutWorkers   = "SetAsyncExecutor has nbio's taskpool of at most 8192 goroutines and 1024 waiting requests"
)

var (
	onNet = setup{transport: "net", about: aboutBatched + aboutNagle + aboutGoroutine, serve: serveNet, streams: true}
	// onNBIO has the client of onNet, because nbio is made for servers with too
	// many connections for a goroutine each. It has no streams, which arpc only
	// supports on connections that it has made itself.
	onNBIO = setup{
		transport: "nbio", about: aboutNBIO + aboutGoroutine,
		serve: serveNBIO, modules: []string{"github.com/lesismal/nbio"},
	}
	// netWorkers and nbioWorkers have the numbers of workers of arpcex
	// (examples/nbio/server).
	netWorkers = setup{
		transport: "net", pool: "workers", about: aboutBatched + aboutNagle + aboutWorkers,
		serve: serveNet, modules: onNBIO.modules, server: pool(8*1024, 1024), streams: true,
	}
	nbioWorkers = setup{
		transport: "nbio", pool: "workers", about: aboutNBIO + aboutWorkers,
		serve: serveNBIO, modules: onNBIO.modules, server: pool(8*1024, 1024),
	}
	// unbatched shows the effect of batching, which is arpc's default.
	unbatched = setup{
		transport: "net-unbatched", about: "SetBatchRecv and SetBatchSend are off on both sides, so each message is a read and a write; " + aboutNagle + aboutGoroutine,
		serve: serveNet,
		both:  func(h arpc.Handler) { h.SetBatchRecv(false); h.SetBatchSend(false) },
	}
	// tuned has the one option with which arpc's author entered rpcx-benchmark
	// (arpc/server, arpc/client) and kitex-benchmark (protobuf/arpc).
	tuned = setup{
		transport: "net", profile: "tuned", rank: framework.Beside, about: aboutBatched + aboutNagle + aboutGoroutine + "; EnablePool reuses messages and their buffers on both sides",
		serve: serveNet, streams: true, both: func(h arpc.Handler) { h.EnablePool(true) },
	}
	// nodelay shows the effect of Nagle's algorithm, which arpc's own function for
	// HandleConnected turns on.
	nodelay = setup{
		transport: "net", profile: "nodelay", rank: framework.Beside, about: aboutBatched + aboutNagle + aboutGoroutine + "; HandleConnected gets an empty function on both sides, so that Nagle's algorithm stays off",
		serve: serveNet, streams: true, both: func(h arpc.Handler) { h.HandleConnected(func(*arpc.Client) {}) },
	}
)

// pool returns what sets up a handler with nbio's taskpool. Its numbers are those of
// taskpool.New, which starts a worker less than the first one.
func pool(most, waiting int) func(arpc.Handler) (stop func()) {
	return func(h arpc.Handler) (stop func()) {
		p := taskpool.New(most, waiting)
		h.SetAsyncExecutor(p.Go)
		return p.Stop
	}
}

// with returns the setup with another number of workers.
func (s setup) with(workers int) setup {
	s.server = pool(workers+1, 1024)
	return s
}

// kind says which messages are sent, and how.
type kind struct {
	name    string
	about   string
	carries framework.Kind
	streams string // what About says of streams; "" if there are none
	modules []string
	codec   arpccodec.Codec
	route   func(arpc.Handler)
	client  func(c *connections, streams bool) framework.Client
}

const aboutStreams = "; arpc does not send a stream's end or error, so the handler sends them as a last message"

var protobufKind = kindOf(dynamic.Protobuf, protobuf.Kind)

func kindOf[E, B any](d dynamic.Codec, k native.Kind[E, B]) kind {
	return kind{
		name: d.Name(), modules: d.Modules(), streams: aboutStreams,
		codec: d,
		route: func(h arpc.Handler) { route(h, k) },
		client: func(c *connections, streams bool) framework.Client {
			if streams {
				return &streamClient[E, B]{client[E, B]{c, k}}
			}
			return &client[E, B]{c, k}
		},
	}
}

var rawKind = kind{
	name: "raw", carries: framework.Bytes, about: "; arpc sends []byte as it is",
	codec:  arpccodec.DefaultCodec, // arpc does not call it for []byte
	route:  routeRaw,
	client: func(c *connections, _ bool) framework.Client { return &rawClient{c} },
}

// Variants lists arpc with both of its servers and with several serializers.
func Variants() []framework.Variant {
	recommended := variant(onNet, protobufKind)
	recommended.Recommended, recommended.Layers = true, layers()
	return []framework.Variant{
		recommended,
		variant(onNet, kindOf(dynamic.Gob, plain.Kind)),
		variant(onNet, kindOf(dynamic.JSON, plain.Kind)),
		variant(onNet, kindOf(dynamic.Msgpack, plain.Kind)),
		variant(onNet, rawKind),
		variant(netWorkers, protobufKind),
		variant(tuned, protobufKind),
		variant(nodelay, protobufKind),
		variant(unbatched, protobufKind),
		variant(onNBIO, protobufKind),
		variant(nbioWorkers, protobufKind),
	}
}

func variant(s setup, k kind) framework.Variant {
	dial := func(addrs []string, o framework.DialOptions) (framework.Client, error) { return dial(addrs, s, k, o) }
	v := framework.Variant{
		Keys:        framework.Keys{Framework: "arpc", Transport: s.transport, Codec: k.name, Profile: s.profile, Pool: s.pool},
		About:       s.about + k.about + "; " + announced,
		Modules:     slices.Concat([]string{"github.com/lesismal/arpc"}, s.modules, k.modules),
		Rank:        s.rank,
		Abilities:   framework.Abilities{Kind: k.carries, Async: k.carries == framework.Fields, Streams: s.carries(k)},
		Connections: framework.Connections{Unix: s.transport != onNBIO.transport}, // nbio 1.6.9 answers some large calls over them never
		Limits:      framework.Limits{MaxMessage: MaxMessage, Announced: announced},
		Races:       framework.Races{Ending: "arpc writes running and reconnecting without a lock when it stops or loses its connection"},
		Unknown:     framework.Says(arpc.ErrMethodNotFound.Error()),
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s, k) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial([]string{addr}, o) },
		DialAll:     dial,
	}
	if v.Streams {
		v.About += k.streams
	}
	if s.pool != "" {
		v.ServePool = func(addr string, workers int) (framework.Server, error) { return serve(addr, s.with(workers), k) }
	}
	return v
}

// carries reports whether the setup has streams of a kind.
func (s setup) carries(k kind) bool { return s.streams && k.streams != "" }

func serve(addr string, s setup, k kind) (framework.Server, error) {
	quiet()
	return s.serve(addr, s, k)
}

// setUp configures h for one side.
func (s setup) setUp(h arpc.Handler) {
	h.SetMaxBodyLen(maxBody)
	useLayers(h, s.layers)
	if s.both != nil {
		s.both(h)
	}
}

// setUpServer configures h for a server, and returns a function that ends its workers.
func (s setup) setUpServer(h arpc.Handler, k kind) (stop func()) {
	s.setUp(h)
	k.route(h)
	if s.server == nil {
		return func() {}
	}
	return s.server(h)
}

// quiet turns off the logs of arpc and nbio, which go to the standard output. Their
// loggers are global, so this applies to the whole process.
var quiet = sync.OnceFunc(func() {
	log.SetLevel(log.LevelNone)
	logging.SetLevel(logging.LevelNone)
})
