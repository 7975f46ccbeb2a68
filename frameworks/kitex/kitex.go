// Package kitex adapts github.com/cloudwego/kitex: thrift and two serializers of
// protobuf over kitex's own protocols, protobuf over its gRPC, and its generic calls,
// which learn the messages from an IDL at run time. Streams use its gRPC and TTHeader
// Streaming.
package kitex

import (
	"cmp"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Variants lists kitex's setups, each with the kinds of messages that it carries.
func Variants() []framework.Variant {
	recommended := variant(pool, thriftKind)
	recommended.Recommended, recommended.Layers = true, layersOfCalls(pool, thriftKind)
	overGRPC := multiplexed(protobufKind)
	overGRPC.Layers = layersOfGRPC(grpc, protobufKind)
	return []framework.Variant{
		recommended,
		variant(pool, thriftTuned),
		variant(pool, prutalKind),
		variant(pool, protobufKind),
		variant(poolTTHeader, thriftKind),
		variant(poolGonet, thriftKind),
		variant(short, thriftKind),
		variant(mux, thriftKind),
		variant(mux, prutalKind),
		variant(mux, protobufKind),
		variant(muxTwo, protobufKind),
		multiplexed(prutalKind),
		overGRPC,
		variant(ttheaderStreaming, thriftKind),

		variant(pool, genericBinary),
		variant(pool, genericMap),
		variant(pool, genericJSON),
		variant(pool, genericJSONTuned),
		variant(pool, genericHTTP),
		variant(pool, genericHTTPTuned),
	}
}

// gopool says where handlers run over netpoll. kitex has no other pool there, so there is
// no pool=workers.
const gopool = "; handlers run in kitex's default pool of goroutines (gopool)"

// announced is what a few damaged bytes of a reply can do. Kitex's limit of a payload,
// NewDefaultCodecWithSizeLimit, does not bound what is announced inside.
const announced = "the client allocates what a reply announces, which can be gigabytes"

func variant(s setup, k kind) framework.Variant {
	dial := func(addrs []string, o framework.DialOptions) (framework.Client, error) { return dial(addrs, s, k, o) }
	v := framework.Variant{
		Keys:        framework.Keys{Framework: "kitex", Transport: s.name, Codec: k.name, Profile: cmp.Or(k.profile, s.profile)},
		About:       k.about + "; " + s.about + cmp.Or(s.handlers, gopool),
		Modules:     []string{"github.com/cloudwego/kitex", "github.com/cloudwego/netpoll", cmp.Or(k.module, "github.com/cloudwego/gopkg")},
		Rank:        s.rank,
		Abilities:   framework.Abilities{Streams: s.streams},
		Connections: framework.Connections{Sharing: s.sharing, Conns: s.conns, Unix: true},
		Unknown:     unknown,
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s, k) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial([]string{addr}, o) },
	}
	if s.balances {
		v.DialAll = dial
	}
	if s.name != grpc.name {
		v.Announced = announced
		v.About += "; " + announced
	}
	return v
}

// multiplexed returns the variant of kitex's gRPC with messages of a kind.
func multiplexed(k kind) framework.Variant {
	v := variant(grpc, k)
	v.Windows = &framework.Windows{
		Default: "64 KiB at first, of a stream and of a connection, which grow as kitex measures the network",
		Least:   leastWindow,
		With:    func(bytes int) framework.Variant { return variant(windowed(bytes), k) },
	}
	return v
}

// layersOfCalls describes the layers of kitex's own protocols. They cannot compress, and
// netpoll, on which they run, has no TLS.
func layersOfCalls(s setup, k kind) *framework.Layers {
	return &framework.Layers{
		Has:  map[framework.Layer]string{framework.OTel: "the suites of obs-opentelemetry, which have calls use TTHeader"},
		With: func(stack framework.Stack) framework.Variant { return with(stack, s, k) },
	}
}

// layersOfGRPC describes the layers of kitex's gRPC. Its clients have TLS and its servers
// have none: netpoll has none, and over package net they do not answer.
func layersOfGRPC(s setup, k kind) *framework.Layers {
	return &framework.Layers{
		Has: map[framework.Layer]string{
			framework.Gzip:   "WithGRPCCompressor with kitex's gzip; the server answers with the compressor of the request",
			framework.Zstd:   "as `gzip`, with klauspost's zstd, by RegisterCompressor",
			framework.Snappy: "as `gzip`, with golang/snappy, by RegisterCompressor",
			framework.OTel:   "the suites of obs-opentelemetry for gRPC",
		},
		With: func(stack framework.Stack) framework.Variant { return with(stack, s, k) },
	}
}

func with(stack framework.Stack, s setup, k kind) framework.Variant {
	s.layers = stack
	v := variant(s, k)
	if stack.Has(framework.OTel) {
		v.Modules = append(v.Modules, "go.opentelemetry.io/otel", "github.com/kitex-contrib/obs-opentelemetry")
	}
	return v
}
