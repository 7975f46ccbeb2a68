package connect

import (
	"context"
	"net/http"

	"connectrpc.com/connect"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func serve[Q, R any](addr string, s setup, m protobuf.Messages[Q, R]) (framework.Server, error) {
	options := serverLayers(s.layers)
	mux := http.NewServeMux()
	mux.Handle(methodEcho, unary(methodEcho, m.HandleEcho, options))
	mux.Handle(methodMessage, unary(methodMessage, m.HandleMessage, options))
	mux.Handle(methodStream, connect.NewBidiStreamHandler(methodStream, stream(m), options...))
	return s.Serve(addr, mux, s.layers.ServerTLS(), s.flow)
}

func unary[Q, R any](path string, handle func(*Q) (*R, error), options []connect.HandlerOption) *connect.Handler {
	return connect.NewUnaryHandlerSimple(path, func(_ context.Context, req *Q) (*R, error) { return handle(req) }, options...)
}

func stream[Q, R any](m protobuf.Messages[Q, R]) func(context.Context, *connect.BidiStream[protobuf.EchoMessage, protobuf.EchoMessage]) error {
	return func(_ context.Context, s *connect.BidiStream[protobuf.EchoMessage, protobuf.EchoMessage]) error {
		return m.HandleStream(s.Receive, s.Send)
	}
}
