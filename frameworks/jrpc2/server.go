package jrpc2

import (
	"context"
	"net"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/handler"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// serve runs a server for each connection, as jrpc2 has it.
func serve(addr string, s layer.Stack) (framework.Server, error) {
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
