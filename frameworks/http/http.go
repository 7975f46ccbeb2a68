// Package http adapts net/http as it is used by hand, without a framework: calls are POST
// requests with a message as their body, in HTTP/1.1 and in HTTP/2 without TLS.
package http

import (
	"net/http"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/web"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Paths of the methods.
const (
	methodEcho    = "/echo"
	methodMessage = "/message"
	methodUnknown = "/unknown"
)

// setup is a version of HTTP with its connection model, and the layers of both sides.
type setup struct {
	transport string
	about     string
	sharing   framework.Sharing
	// clients returns the number of HTTP clients, which the workers share.
	clients func(framework.DialOptions) int
	// limit has a transport keep to the budget.
	limit func(*http.Transport, framework.DialOptions)
	stack framework.Stack
}

// h1 has a pooled connection for each call under way.
var h1 = setup{
	transport: "h1",
	sharing:   framework.Pooled,
	clients:   func(framework.DialOptions) int { return 1 },
	limit:     web.Pool,
}

// h2 shares connections. An HTTP client of net/http opens one connection to a host.
var h2 = setup{
	transport: "h2",
	about:     "; net/http's limit of 250 calls at once on a connection is lifted",
	sharing:   framework.Fixed,
	clients:   func(o framework.DialOptions) int { return o.Conns },
	limit:     web.Share,
}

// kind says which messages are sent, and how they are encoded.
type kind[E, B any] struct {
	native.Kind[E, B]
	dynamic.Codec
	about string
	media string // the Content-Type
}

var (
	jsonKind = kind[plain.EchoMessage, plain.BenchMessage]{
		plain.Kind, dynamic.JSON, "encoding/json", "application/json",
	}
	protobufKind = kind[protobuf.EchoMessage, protobuf.BenchMessage]{
		protobuf.Kind, dynamic.Protobuf, "google.golang.org/protobuf", "application/x-protobuf",
	}
)

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

// with returns the setup with layers.
func (s setup) with(stack framework.Stack) setup {
	s.stack = stack
	return s
}
