package connect

import (
	"context"
	"io"
	"log"
	"net/http"

	"connectrpc.com/connect"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// server is a running HTTP server.
type server struct {
	http *http.Server
	addr string
}

// maxStreams is how many calls an HTTP/2 connection may carry at once. With net/http's
// own limit of 250, calls have to wait, because clients may not open more connections.
// When thousands of callers wait, net/http's client hangs for ever.
const maxStreams = 100_000

func serve(addr string, s setup) (framework.Server, error) {
	l, err := conns.Listen(addr)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle(methodEcho, unary(methodEcho, protobuf.Kind.HandleEcho))
	mux.Handle(methodMessage, unary(methodMessage, protobuf.Kind.HandleMessage))
	mux.Handle(methodStream, connect.NewBidiStreamHandler(methodStream, stream))
	h := &http.Server{
		Handler:   mux,
		Protocols: protocols((*http.Protocols).SetHTTP1, (*http.Protocols).SetUnencryptedHTTP2),
		HTTP2:     &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
		ErrorLog:  log.New(io.Discard, "", 0),
	}
	s.flow(h.HTTP2)
	go h.Serve(l) // returns an error when the server is closed
	return &server{h, l.Addr().String()}, nil
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *server) Close() error { return s.http.Close() }

func unary[M any](path string, handle func(*M) (*M, error)) *connect.Handler {
	return connect.NewUnaryHandlerSimple(path, func(_ context.Context, req *M) (*M, error) { return handle(req) })
}

func stream(_ context.Context, s *connect.BidiStream[protobuf.EchoMessage, protobuf.EchoMessage]) error {
	return protobuf.Kind.HandleStream(s.Receive, s.Send)
}
