// Package rpcx adapts rpcx over TCP.
package rpcx

import (
	"cmp"

	"github.com/smallnest/rpcx/protocol"
	"github.com/smallnest/rpcx/server"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// servicePath is the service's name on both sides.
const servicePath = "Bencher"

// Names of the methods.
const (
	methodEcho    = "Echo"
	methodMessage = "Message"
	methodUnknown = "Unknown"
)

// rawMethods are RawBencher's.
var rawMethods = native.RawMethods{Echo: methodEcho, Fail: "Fail"}

// setup is how both sides are configured.
type setup struct {
	transport, profile, pool string
	rank                     framework.Rank
	about                    string
	sharing                  framework.Sharing
	options                  []server.OptionFn
	handlers                 bool // functions are added by AddHandler instead of a service
	pooled                   bool // an XClientPool chooses the connection of each call
	layers                   framework.Stack
}

const aboutClient = "each connection is an XClient"

var (
	tcp      = setup{transport: "tcp", about: aboutClient}
	ownPool  = setup{transport: "tcp-xclientpool", about: "one XClientPool takes its XClients in turn", sharing: framework.Mux, pooled: true}
	handlers = setup{transport: "tcp-handler", about: aboutClient + "; AddHandler registers functions instead of a service", handlers: true}
	// workers has the numbers of workers of rpcx-benchmark (rpcx_handler/server).
	workers = setup{
		transport: "tcp", pool: "workers", about: aboutClient + "; the server has WithPool(100, 1000000)",
		options: []server.OptionFn{server.WithPool(100, poolCapacity)},
	}
	// tuned has the only option of rpcx-benchmark (rpcx/server). rpcx's own
	// comments recommend it for performance tests only.
	tuned = setup{
		transport: "tcp", profile: "tuned", rank: framework.Beside, about: aboutClient + "; AsyncWrite: the server writes each reply in a goroutine of its own",
		options: []server.OptionFn{server.WithAsyncWrite()},
	}
)

// Variants lists rpcx with its serializers, and with its ways to connect and to handle
// requests. It has no limit on the size of messages.
func Variants() []framework.Variant {
	recommended := variant(tcp, protobufKind)
	recommended.Recommended, recommended.Layers = true, layers()
	return []framework.Variant{
		recommended,
		variant(tcp, kindOf(dynamic.JSON, protocol.JSON, plain.Kind)),
		variant(tcp, kindOf(dynamic.Msgpack, protocol.MsgPack, plain.Kind)),
		variant(tcp, gobKind()),
		variant(tcp, thriftKind()),
		variant(tcp, rawKind),
		variant(ownPool, protobufKind),
		variant(handlers, protobufKind),
		variant(workers, protobufKind),
		variant(tuned, protobufKind),
	}
}

func variant(s setup, k kind) framework.Variant {
	dial := func(addrs []string, o framework.DialOptions) (framework.Client, error) { return dial(addrs, s, k, o) }
	v := framework.Variant{
		Keys:        framework.Keys{Framework: "rpcx", Transport: s.transport, Codec: k.name, Profile: s.profile, Pool: s.pool},
		About:       s.about + k.about + "; " + announced,
		Modules:     append([]string{"github.com/smallnest/rpcx"}, k.modules...),
		Rank:        s.rank,
		Abilities:   framework.Abilities{Kind: k.carries, Async: k.carries == framework.Fields},
		Connections: framework.Connections{Sharing: s.sharing, Unix: true},
		Limits:      framework.Limits{MaxMessage: cmp.Or(k.largest, MaxMessage), Announced: announced},
		Races:       framework.Races{Ending: "rpcx reads a call's sequence number without its lock when a context ends, and isShutdown when it closes"},
		Unknown:     framework.Says("can't find service ", "can't find method "),
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s, k) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial([]string{addr}, o) },
		DialAll:     dial,
	}
	if s.pool != "" {
		v.ServePool = func(addr string, workers int) (framework.Server, error) { return serve(addr, s.with(workers), k) }
	}
	return v
}

// poolCapacity is how many requests may wait for a worker.
const poolCapacity = 1_000_000

// with returns the setup with another number of workers.
func (s setup) with(workers int) setup {
	s.options = []server.OptionFn{server.WithPool(workers, poolCapacity)}
	return s
}
