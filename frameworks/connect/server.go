package connect

import (
	"context"
	"net/http"

	"connectrpc.com/connect"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns/web"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func serve(addr string, s setup) (framework.Server, error) {
	options := serverLayers(s.layers)
	mux := http.NewServeMux()
	mux.Handle(methodEcho, unary(methodEcho, protobuf.Kind.HandleEcho, options))
	mux.Handle(methodMessage, unary(methodMessage, protobuf.Kind.HandleMessage, options))
	mux.Handle(methodStream, connect.NewBidiStreamHandler(methodStream, stream, options...))
	return web.Serve(addr, mux, s.layers.ServerTLS(), s.flow)
}

func unary[M any](path string, handle func(*M) (*M, error), options []connect.HandlerOption) *connect.Handler {
	return connect.NewUnaryHandlerSimple(path, func(_ context.Context, req *M) (*M, error) { return handle(req) }, options...)
}

func stream(_ context.Context, s *connect.BidiStream[protobuf.EchoMessage, protobuf.EchoMessage]) error {
	return protobuf.Kind.HandleStream(s.Receive, s.Send)
}
