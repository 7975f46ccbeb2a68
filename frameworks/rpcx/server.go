package rpcx

import (
	"net"

	"github.com/smallnest/rpcx/server"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
)

// rpcxServer is a running rpcx server.
type rpcxServer struct {
	rpcx     *server.Server
	listener net.Listener
}

func serve(addr string, s setup, k kind) (framework.Server, error) {
	prepare()
	x := server.NewServer(s.options...)
	if s.layers.Metadata.Entries > 0 {
		x.Plugins.Add(returning{})
	}
	for range s.layers.Chain {
		x.Plugins.Add(handling{})
	}
	if err := k.register(x, s.handlers); err != nil {
		return nil, err
	}
	l, err := conns.ListenTLS(s.layers.ServerTLS(), addr)
	if err != nil {
		return nil, err
	}
	go x.ServeListener(address.Network(addr), l) // returns an error when the server is closed
	<-x.Started
	return &rpcxServer{x, l}, nil
}

// Addr implements framework.Server.
func (s *rpcxServer) Addr() string { return s.listener.Addr().String() }

// Close implements framework.Server.
func (s *rpcxServer) Close() error { return s.rpcx.Close() }
