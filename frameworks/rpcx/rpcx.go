// Package rpcx adapts rpcx over TCP.
package rpcx

import (
	"cmp"

	"github.com/smallnest/rpcx/protocol"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Variants lists rpcx with its serializers, and with its ways to connect and to handle
// requests. It has no limit on the size of messages. QUIC is left out, because v1.9.4 does
// not compile with its own build tag quic: smallnest/quick v0.2.0 needs types that the
// quic-go of rpcx's go.mod no longer has.
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

// announced is what a few bytes of a stranger can do.
const announced = "rpcx allocates a message when its length has arrived, up to MaxMessageLength, set to 384 MiB where it has no limit"

const aboutTLS = "TLSConfig of the client, and a server that listens as with WithTLSConfig"

// layers describes the layers of the recommended variant. It lacks OpenTelemetry, since the
// plug-in that rpcx names is in a module without a version, rpcx-plugins.
func layers() *framework.Layers {
	return &framework.Layers{
		Has: map[framework.Layer]string{
			framework.TLS13:  aboutTLS,
			framework.MTLS:   aboutTLS,
			framework.Gzip:   "CompressType of the client is Gzip, with compress/gzip in Compressors, since rpcx's own mixes the messages of concurrent calls; a reply is compressed if its request was, and none of up to 1 KiB is",
			framework.Snappy: "as `gzip`, with rpcx's SnappyCompressor, added to Compressors",
			framework.Zstd:   "as `gzip`, with klauspost's zstd, added to Compressors",
		},
		With: func(s framework.Stack) framework.Variant {
			with := tcp
			with.layers = s
			return variant(with, protobufKind)
		},
	}
}
