package netrpc

import (
	"net"
	"net/rpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// serve keeps track of the connections itself, because net/rpc goes on serving open
// connections when its listener has been closed.
func serve[E, Q, R any](addr string, k kind[E, Q, R]) (framework.Server, error) {
	s := rpc.NewServer()
	if err := s.RegisterName("Bencher", &Bencher[E, Q, R]{k.Kind}); err != nil {
		return nil, err
	}
	l, err := conns.ServeTLS(k.layers.ServerTLS(), addr, func(c net.Conn) { k.serve(s, c) })
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Bencher is the service. It is exported because net/rpc requires it.
type Bencher[E, Q, R any] struct{ kind native.Kind[E, Q, R] }

// Echo sends the request back.
func (b *Bencher[E, Q, R]) Echo(req, reply *E) error { return b.kind.FillEcho(req, reply) }

// Message answers the message of its Kind.
func (b *Bencher[E, Q, R]) Message(req *Q, reply *R) error {
	return b.kind.FillMessage(req, reply)
}
