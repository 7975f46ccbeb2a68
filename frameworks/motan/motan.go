// Package motan adapts motan-go with its motan2 protocol. It is a module with its own
// benchmarks, because motan-go has many dependencies.
package motan

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

const about = "the client has a cluster over a direct registry, failover without retries; motan-go's limits of 10 MiB a message and 1 s a call are lifted; the default provider cannot return a handler's error, so the adapter makes an exception of it"

// Variants lists motan-go's serializers: one for single protobuf messages, and one that
// Motan has in all languages.
func Variants() []framework.Variant {
	recommended := single(layer.Stack{})
	recommended.Recommended = true
	recommended.Layers = &framework.Layers{
		Has: map[layer.Layer]string{
			layer.Gzip: "motan2's mingzSize=1, which compresses every body of more than a byte; motan-go's level is gzip's fastest",
		},
		Metadata: carries(),
		Chain:    chains(),
		With:     single,
	}
	return []framework.Variant{
		recommended,
		variant(setup{codec: "simple", kind: maps{}}, about+"; messages are maps of names and values"),
	}
}

// single is the serializer of single protobuf messages.
func single(layers layer.Stack) framework.Variant {
	v := variant(setup{codec: "grpc-pb", kind: protobufs{}, layers: layers}, about)
	v.Modules = append(v.Modules, "google.golang.org/protobuf")
	return v
}

func variant(s setup, about string) framework.Variant {
	v := framework.Variant{
		Keys:        framework.Keys{Framework: "motan", Transport: "motan2", Codec: s.codec},
		About:       about,
		Modules:     []string{"github.com/weibocom/motan-go"},
		Abilities:   framework.Abilities{Async: true},
		Connections: framework.Connections{Sharing: framework.Mux},
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Races:       framework.Races{Calls: "motan-go notes the version of its heartbeat, and looks whether a connection was closed, without a lock"},
		Unknown:     framework.Says("is not found in provider"),
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial: func(addr string, o framework.DialOptions) (framework.Client, error) {
			return dial([]string{addr}, s, random, o)
		},
		Policies: policies(s),
	}
	v.DialAll = v.Policies[0].DialAll
	return v
}
