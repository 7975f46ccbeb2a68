// Package connect adapts connectrpc.com/connect over net/http: with its own protocol, in
// HTTP/1.1 and in HTTP/2 without TLS, and with gRPC's.
package connect

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// Variants lists connect in both versions of HTTP. The recommended variant is the
// example of connect's README, over HTTP/1.1, without its compressed replies, which no
// other framework has by default.
func Variants() []framework.Variant {
	recommended := layered(h1)
	recommended.Recommended = true
	multiplexed := layered(h2c)
	multiplexed.Windows = windows()
	return []framework.Variant{
		recommended,
		variant(zipped(h1), protobufKind),
		variant(unzipped(h1), jsonKind),
		multiplexed,
		variant(zipped(h2c), protobufKind),
		variant(unzipped(speakingGRPC(h2c)), protobufKind),
	}
}

func variant(s setup, k kind) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "connect", Transport: s.transport, Codec: k.name, Profile: s.profile},
		About:       s.about,
		Modules:     []string{"connectrpc.com/connect", "google.golang.org/protobuf"},
		Rank:        s.rank,
		Abilities:   framework.Abilities{Streams: s.streams},
		Connections: framework.Connections{Sharing: s.sharing, Unix: true},
		Unknown:     unknown,
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, k, o) },
	}
}

// layered returns a variant that can be given layers.
func layered(s setup) framework.Variant {
	v := variant(unzipped(s), protobufKind)
	v.Layers = &framework.Layers{
		Has: map[framework.Layer]string{
			framework.TLS13:  "ServeTLS, and TLSClientConfig of the Transport",
			framework.MTLS:   "ServeTLS, and TLSClientConfig of the Transport",
			framework.Gzip:   "WithSendGzip, and the client accepts gzip",
			framework.Zstd:   "WithCompression and WithSendCompression",
			framework.Snappy: "WithCompression and WithSendCompression",
			framework.OTel:   "otelconnect, which trusts the client's spans",
		},
		With: func(stack framework.Stack) framework.Variant {
			v := variant(with(s, stack), protobufKind)
			v.Modules = append(v.Modules, modules(stack)...)
			return v
		},
	}
	return v
}

// modules lists those that layers add.
func modules(stack framework.Stack) (list []string) {
	switch stack.Compression() {
	case framework.Zstd:
		list = append(list, "github.com/klauspost/compress")
	case framework.Snappy:
		list = append(list, "github.com/golang/snappy")
	}
	if stack.Has(framework.OTel) {
		list = append(list, "go.opentelemetry.io/otel", "connectrpc.com/otelconnect")
	}
	return list
}

// windows describes the windows of HTTP/2.
func windows() *framework.Windows {
	return &framework.Windows{
		Default: "a stream of the server 1 MiB, as its connection; of the client 4 MiB, and its connection 1 GiB",
		Least:   leastWindow,
		With:    func(bytes int) framework.Variant { return variant(windowed(unzipped(h2c), bytes), protobufKind) },
	}
}
