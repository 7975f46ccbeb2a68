package grpc

import (
	"net"

	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// server is a running gRPC server.
type server struct {
	grpc *grpc.Server
	addr string
}

func serve(addr string, messages side, options []grpc.ServerOption) (framework.Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	options = append(options, grpc.MaxRecvMsgSize(maxEncoded), grpc.MaxSendMsgSize(maxEncoded))
	s := grpc.NewServer(append(options, messages.server...)...)
	messages.register(s)
	go s.Serve(l) // its error says that the server was stopped
	return &server{s, l.Addr().String()}, nil
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *server) Close() error {
	s.grpc.Stop()
	return nil
}
