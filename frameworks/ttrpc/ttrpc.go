// Package ttrpc adapts github.com/containerd/ttrpc with protobuf messages.
package ttrpc

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// Variants lists ttrpc over TCP, or over the Unix sockets that it was made for.
func Variants() []framework.Variant {
	v := variant(framework.Stack{})
	v.Recommended, v.Layers = true, layers()
	return []framework.Variant{v}
}

func variant(s framework.Stack) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "ttrpc", Transport: "tcp", Codec: "protobuf"},
		About:       "neither side has options, and streams have no windows; the service is written by hand, as ttrpc's generator would write it",
		Modules:     []string{"github.com/containerd/ttrpc", "google.golang.org/protobuf"},
		Abilities:   framework.Abilities{Streams: true},
		Connections: framework.Connections{Unix: true},
		Limits:      framework.Limits{MaxMessage: maxMessage(s)},
		Unknown:     framework.Says("rpc error: code = Unimplemented "), // the text of a gRPC status, which ttrpc has
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, o) },
	}
}

// layers describes the layers. ttrpc has no compression. Its server takes any listener, and
// its client any connection.
func layers() *framework.Layers {
	const secured = "crypto/tls around each connection"
	return &framework.Layers{
		Has: map[framework.Layer]string{
			framework.TLS13: secured,
			framework.MTLS:  secured,
			framework.OTel:  "the interceptors of otelttrpc, for calls; streams have none",
		},
		With: func(s framework.Stack) framework.Variant {
			v := variant(s)
			if s.Has(framework.OTel) {
				v.Modules = append(v.Modules, "go.opentelemetry.io/otel", "github.com/containerd/otelttrpc")
			}
			return v
		},
	}
}
