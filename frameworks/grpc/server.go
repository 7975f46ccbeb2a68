package grpc

import (
	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/web"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// server is a running gRPC server.
type server struct {
	grpc *grpc.Server
	addr string
}

func serve(addr string, s setup, k kind) (framework.Server, error) {
	options := append(append(s.server(), serverLayers(s.layers)...), grpc.MaxRecvMsgSize(maxEncoded), grpc.MaxSendMsgSize(maxEncoded))
	g := grpc.NewServer(append(options, k.server...)...)
	k.register(g)
	if s.served {
		return web.Serve(addr, g, nil, nil)
	}
	l, err := conns.Listen(addr)
	if err != nil {
		return nil, err
	}
	go g.Serve(l) // returns an error when the server is stopped
	return &server{g, l.Addr().String()}, nil
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *server) Close() error {
	s.grpc.Stop()
	return nil
}
