// Package jrpc2 adapts github.com/creachadair/jrpc2: JSON-RPC 2.0 over TCP, in which each
// message is a line of JSON, as in the protocol MCP. Language servers have other frames:
// jrpc2 allocates those by a length that a peer announces, without a limit, and a negative
// one ends the process.
package jrpc2

import (
	"context"
	"errors"
	"net"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/handler"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// about says how both sides are set up.
const about = "messages are lines of JSON, channel.Line, with which jrpc2's documentation begins, by encoding/json;" +
	" of each connection the server runs as many handlers at once as there are CPUs, jrpc2's default"

// Names of the methods.
const (
	methodEcho    = "Echo"
	methodMessage = "Message"
	methodUnknown = "Unknown"
)

// Variants lists jrpc2's one variant.
func Variants() []framework.Variant {
	v := variant(framework.Stack{})
	v.Recommended, v.Layers = true, layers()
	return []framework.Variant{v}
}

func variant(s framework.Stack) framework.Variant {
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
		Has:  map[framework.Layer]string{framework.TLS13: secured, framework.MTLS: secured},
		With: variant,
	}
}

// unknown reports whether err is jrpc2's for a method that the server does not have.
func unknown(err error) bool {
	e, ok := errors.AsType[*jrpc2.Error](err)
	return ok && e.Code == jrpc2.MethodNotFound
}

// serve runs a server for each connection, as jrpc2 has it.
func serve(addr string, s framework.Stack) (framework.Server, error) {
	methods := handler.Map{
		methodEcho:    handler.New(handled(plain.Kind.HandleEcho)),
		methodMessage: handler.New(handled(plain.Kind.HandleMessage)),
	}
	l, err := conns.ServeTLS(s.ServerTLS(), addr, func(c net.Conn) {
		jrpc2.NewServer(methods, nil).Start(channel.Line(c, c)).Wait() // returns an error when the client has gone
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// handled gives a handler the form that jrpc2 requires.
func handled[M any](handle func(*M) (*M, error)) func(context.Context, *M) (*M, error) {
	return func(_ context.Context, req *M) (*M, error) { return handle(req) }
}
