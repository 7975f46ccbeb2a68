// Package grpc adapts gRPC over HTTP/2, with its own server and behind that of net/http.
package grpc

import (
	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// windows describes the windows of the recommended variant.
func windows() *framework.Windows {
	return &framework.Windows{
		Default: "64 KiB at first, of a stream and of a connection, which grow as gRPC measures the network",
		Least:   leastWindow,
		With:    func(bytes int) framework.Variant { return variant(windowed(bytes), protobufKind) },
	}
}

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

// layers describes the layers of the recommended variant.
func layers() *framework.Layers {
	return &framework.Layers{
		Has: map[framework.Layer]string{
			framework.TLS13:  "credentials.NewTLS",
			framework.MTLS:   "credentials.NewTLS",
			framework.Gzip:   "UseCompressor with gRPC's own gzip; the server answers with the compressor of the request",
			framework.Zstd:   "as `gzip`, with klauspost's zstd, by RegisterCompressor",
			framework.Snappy: "as `gzip`, with golang/snappy, by RegisterCompressor",
			framework.OTel:   "the stats handlers of otelgrpc",
		},
		With: func(s framework.Stack) framework.Variant {
			with := plainly
			with.layers = s
			v := variant(with, protobufKind)
			if s.Has(framework.OTel) {
				v.Modules = append(v.Modules, "go.opentelemetry.io/otel", "go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc")
			}
			return v
		},
	}
}
