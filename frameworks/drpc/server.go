package drpc

import (
	"context"

	"storj.io/drpc/drpcmux"
	"storj.io/drpc/drpcserver"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

func serve[Q, R any](addr string, layers layer.Stack, k protobuf.Messages[Q, R]) (framework.Server, error) {
	mux := drpcmux.New()
	if err := mux.Register(service[Q, R]{k}, description[Q, R]{}); err != nil {
		return nil, err
	}
	l, err := conns.ListenTLS(layers.ServerTLS(), addr)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &server{l.Addr().String(), stop, make(chan error, 1)}
	d := drpcserver.NewWithOptions(mux, drpcserver.Options{Manager: limits})
	go func() { s.done <- d.Serve(ctx, l) }()
	return s, nil
}

// server is a running drpc server.
type server struct {
	addr string
	stop context.CancelFunc
	done chan error // receives what Serve returned
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *server) Close() error {
	s.stop()
	return <-s.done
}
