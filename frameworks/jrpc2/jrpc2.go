// Package jrpc2 adapts github.com/creachadair/jrpc2: JSON-RPC 2.0 over TCP, in which each
// message is a line of JSON, as in the protocol MCP. Language servers have other frames:
// jrpc2 allocates those by a length that a peer announces, without a limit, and a negative
// one ends the process.
package jrpc2

import (
	"errors"

	"github.com/creachadair/jrpc2"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// about says how both sides are set up.
const about = "messages are lines of JSON, channel.Line, with which jrpc2's documentation begins, by encoding/json;" +
	" of each connection the server runs as many handlers at once as there are CPUs, jrpc2's default"

// Variants lists jrpc2's one variant.
func Variants() []framework.Variant {
	v := variant(layer.Stack{})
	v.Recommended, v.Layers = true, layers()
	return []framework.Variant{v}
}

func variant(s layer.Stack) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "jrpc2", Transport: "tcp", Codec: "json"},
		About:       about,
		Modules:     []string{"github.com/creachadair/jrpc2"},
		Connections: framework.Connections{Unix: true},
		Unknown:     unknown,
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, o) },
	}
}

// layers describes the layers: a channel of jrpc2 is made of any connection.
func layers() *framework.Layers {
	const secured = "crypto/tls around each connection"
	return &framework.Layers{
		Has:  map[layer.Layer]string{layer.TLS13: secured, layer.MTLS: secured},
		With: variant,
	}
}

// unknown reports whether err is jrpc2's for a method that the server does not have.
func unknown(err error) bool {
	e, ok := errors.AsType[*jrpc2.Error](err)
	return ok && e.Code == jrpc2.MethodNotFound
}
