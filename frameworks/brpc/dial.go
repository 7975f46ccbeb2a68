package brpc

import (
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/rpc"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func dial(addr string, s setup, k kind, o framework.DialOptions) (framework.Client, error) {
	opened, err := conns.Open(o.Conns, func() (*rpc.Conn, error) { return s.open(addr) }, (*rpc.Conn).Close)
	if err != nil {
		return nil, err
	}
	return k.client(opened, s.carries(k)), nil
}
