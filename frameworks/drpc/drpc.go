// Package drpc adapts storj.io/drpc with protobuf messages.
package drpc

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// Variants lists drpc over TCP. A connection carries one call at a time.
func Variants() []framework.Variant {
	recommended := variant(framework.Stack{})
	recommended.Recommended, recommended.Layers = true, layers()
	return []framework.Variant{recommended}
}

// layers describes the layers of the variant.
func layers() *framework.Layers {
	const secured = "drpcserver's Serve on a listener of crypto/tls, and drpcconn on connections of crypto/tls: drpc takes any transport"
	return &framework.Layers{
		Has:  map[framework.Layer]string{framework.TLS13: secured, framework.MTLS: secured},
		With: variant,
	}
}

// variant returns drpc with these layers on both sides.
func variant(s framework.Stack) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "drpc", Transport: "tcp", Codec: "protobuf"},
		About:       "the client uses drpc's own drpcpool; the service is written by hand, as drpc's generator would write it",
		Modules:     []string{"storj.io/drpc", "google.golang.org/protobuf"},
		Abilities:   framework.Abilities{Streams: true},
		Connections: framework.Connections{Unix: true, Sharing: framework.Pooled},
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Unknown:     framework.Says("unknown rpc: "),
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, o) },
	}
}
