// Package arpc adapts arpc. Its server runs on the standard library's network or on
// nbio's event loop.
//
// Options are arpc's defaults. Among them are batched reads and writes, a queue of
// 4096 messages for a connection's writer, handlers in goroutines of their own, and
// Nagle's algorithm, which arpc turns on for its connections.
package arpc

import (
	"slices"

	"github.com/lesismal/arpc"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

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

// announced is what a few bytes of a stranger can do.
const announced = "arpc allocates a message when its header has arrived, up to SetMaxBodyLen, set to 384 MiB on both sides"

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

func serve(addr string, s setup, k kind) (framework.Server, error) {
	quiet()
	return s.serve(addr, s, k)
}

const aboutTLS = "a listener and a dialer of crypto/tls, as in arpc's examples; Nagle's algorithm is off, which arpc turns on for TCP alone"

// layers describes the layers of the recommended variant. arpc's own gzip is in a module
// without a version, arpcex, which also has what there is for OpenTracing, the predecessor
// of OpenTelemetry.
func layers() *framework.Layers {
	return &framework.Layers{
		Has: map[framework.Layer]string{
			framework.TLS13:  aboutTLS,
			framework.MTLS:   aboutTLS,
			framework.Gzip:   "compress/gzip, by UseCoder on both sides: the goroutine that writes a connection compresses, and the one that reads it decompresses",
			framework.Zstd:   "as `gzip`, with klauspost's zstd",
			framework.Snappy: "as `gzip`, with golang/snappy",
		},
		With: func(s framework.Stack) framework.Variant {
			with := onNet
			with.layers = s
			return variant(with, protobufKind)
		},
	}
}
