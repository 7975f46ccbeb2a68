package ttrpc

import (
	"context"

	"github.com/containerd/ttrpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

func serve[Q, R any](addr string, layers layer.Stack, k protobuf.Messages[Q, R]) (framework.Server, error) {
	quiet()
	s, err := ttrpc.NewServer(serverLayers(layers)...)
	if err != nil {
		return nil, err
	}
	s.RegisterService(serviceName, &ttrpc.ServiceDesc{
		Methods: map[string]ttrpc.Method{
			methodEcho:    unary(k.HandleEcho),
			methodMessage: unary(k.HandleMessage),
		},
		Streams: map[string]ttrpc.Stream{methodStream: {Handler: handleStream, StreamingClient: true, StreamingServer: true}},
	})
	l, err := conns.ListenTLS(layers.ServerTLS(), addr)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	go s.Serve(ctx, l) // returns an error when the server is closed
	return &server{s, l.Addr().String(), cancel}, nil
}

// server is a running ttrpc server.
type server struct {
	*ttrpc.Server
	addr   string
	cancel context.CancelFunc
}

// Close implements framework.Server. It ends all streams first, because ttrpc leaves
// connections with a stream open.
func (s *server) Close() error {
	s.cancel()
	return s.Server.Close()
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// unary makes a method of a handler, as generated code does.
func unary[Q, R any](handle func(*Q) (*R, error)) ttrpc.Method {
	return func(_ context.Context, unmarshal func(any) error) (any, error) {
		req := new(Q)
		if err := unmarshal(req); err != nil {
			return nil, err
		}
		return handle(req)
	}
}
