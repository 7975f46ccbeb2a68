// Package dubbo adapts dubbo-go: the Dubbo protocol with Hessian, and Triple with
// protobuf. It is a module with its own benchmarks, because dubbo-go has many
// dependencies.
package dubbo

import (
	"time"

	_ "dubbo.apache.org/dubbo-go/v3/cluster/cluster/failfast"
	_ "dubbo.apache.org/dubbo-go/v3/cluster/cluster/failover"
	_ "dubbo.apache.org/dubbo-go/v3/cluster/loadbalance/random"
	_ "dubbo.apache.org/dubbo-go/v3/filter/accesslog"
	_ "dubbo.apache.org/dubbo-go/v3/filter/echo"
	_ "dubbo.apache.org/dubbo-go/v3/filter/exec_limit"
	_ "dubbo.apache.org/dubbo-go/v3/filter/generic"
	_ "dubbo.apache.org/dubbo-go/v3/filter/graceful_shutdown"
	_ "dubbo.apache.org/dubbo-go/v3/filter/token"
	_ "dubbo.apache.org/dubbo-go/v3/filter/tps"
	_ "dubbo.apache.org/dubbo-go/v3/protocol/dubbo"
	_ "dubbo.apache.org/dubbo-go/v3/protocol/triple"
	_ "dubbo.apache.org/dubbo-go/v3/proxy/proxy_factory"
	_ "dubbo.apache.org/dubbo-go/v3/registry/protocol"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// What the variants say about themselves.
const (
	aboutBoth   = "the client has a direct URL and cluster failfast"
	aboutDubbo  = aboutBoth + "; messages are POJOs, and handlers are found by reflection; dubbo-go's own limits hold: of a message, and 3 s of a call"
	aboutTriple = aboutBoth + "; limits of a message and of a call are lifted; the code is written by hand, as protoc-gen-go-triple would write it; nothing closes connections, so they stay open until the process ends; servers compress replies by gzip, since clients announce it and dubbo-go has no option against it"
)

// unknown reports whether err is Dubbo's for a method or a service that the server does not
// have.
var unknown = framework.Says("cannot find method", "cannot find service", "unimplemented")

// Variants lists dubbo-go's protocols.
func Variants() []framework.Variant {
	recommended := overTriple(layer.Stack{})
	recommended.Recommended, recommended.Layers = true, layers()
	return []framework.Variant{
		{
			Keys:        framework.Keys{Framework: "dubbo", Transport: "dubbo", Codec: "hessian2"},
			About:       aboutDubbo,
			Modules:     []string{"dubbo.apache.org/dubbo-go/v3", "github.com/apache/dubbo-go-hessian2"},
			Connections: framework.Connections{Sharing: framework.Mux},
			Limits:      framework.Limits{MaxMessage: maxDubbo, CallLimit: 3 * time.Second},
			Races:       framework.Races{Calls: "getty, its transport, counts calls of a connection and hands it its reader without a lock"},
			Unknown:     unknown,
			Serve:       func(addr string) (framework.Server, error) { return serve(addr, pojosOverDubbo()) },
			Dial:        dialDubbo,
		},
		recommended,
	}
}

// overTriple is Triple with these layers on both sides.
func overTriple(layers layer.Stack) framework.Variant {
	v := framework.Variant{
		Keys:        framework.Keys{Framework: "dubbo", Transport: "triple", Codec: "protobuf"},
		About:       aboutTriple,
		Modules:     []string{"dubbo.apache.org/dubbo-go/v3", "google.golang.org/protobuf"},
		Abilities:   framework.Abilities{Streams: true},
		Connections: framework.Connections{StaysOpen: true},
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Unknown:     unknown,
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, triples(layers)) },
		Dial: func(addr string, o framework.DialOptions) (framework.Client, error) {
			return dialTriple(addr, layers, o)
		},
	}
	if layers.Has(layer.OTel) {
		v.Modules = append(v.Modules, "go.opentelemetry.io/otel")
	}
	return v
}

// layers describes the layers of the recommended variant.
func layers() *framework.Layers {
	const secured = "WithServerTLSOption and WithClientTLSOption, which read certificates from files"
	return &framework.Layers{
		Has: map[layer.Layer]string{
			layer.TLS13: secured,
			layer.MTLS:  secured,
			layer.OTel:  "dubbo-go's own filters of OpenTelemetry, by tracing's enable, with the tracer provider of the process",
		},
		Metadata: carries(),
		Chain:    chains(),
		With:     overTriple,
	}
}
