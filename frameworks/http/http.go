// Package http adapts net/http as it is used by hand, without a framework: calls are POST
// requests with a message as their body, in HTTP/1.1 and in HTTP/2 without TLS.
package http

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// Variants lists net/http in both versions of HTTP. The recommended variant is what most
// services of Go have.
func Variants() []framework.Variant {
	recommended := layered(h1, jsonKind)
	recommended.Recommended = true
	return []framework.Variant{
		recommended,
		variant(h1, protobufKind),
		variant(h2, jsonKind),
		layered(h2, protobufKind),
	}
}

// layered returns a variant that can be given layers.
func layered[E, B any](s setup, k kind[E, B]) framework.Variant {
	v := variant(s, k)
	v.Layers = &framework.Layers{
		Has: map[framework.Layer]string{
			framework.TLS13: "ServeTLS, and TLSClientConfig of the Transport",
			framework.MTLS:  "ServeTLS, and TLSClientConfig of the Transport",
			framework.Gzip:  "compress/gzip by hand at its default level, from pools; net/http itself only decompresses replies",
			framework.OTel:  "otelhttp.NewHandler and otelhttp.NewTransport",
		},
		With: func(stack framework.Stack) framework.Variant {
			v := variant(s.with(stack), k)
			if stack.Has(framework.OTel) {
				v.Modules = append(v.Modules, "go.opentelemetry.io/otel", "go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp")
			}
			return v
		},
	}
	return v
}

func variant[E, B any](s setup, k kind[E, B]) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "http", Transport: s.transport, Codec: k.Name()},
		About:       "written by hand: POST requests to a ServeMux, whole bodies by io.ReadAll; " + k.about + s.about,
		Modules:     append([]string{"std"}, k.Modules()...),
		Connections: framework.Connections{Sharing: s.sharing, Unix: true},
		Unknown:     unknown,
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s, k) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, k, o) },
	}
}
