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
func serve[E, B any](addr string, k kind[E, B]) (framework.Server, error) {
	s := rpc.NewServer()
	if err := s.RegisterName("Bencher", &Bencher[E, B]{k.Kind}); err != nil {
		return nil, err
	}
	l, err := conns.ServeTLS(k.layers.ServerTLS(), addr, func(c net.Conn) { k.serve(s, c) })
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Bencher is the service. It is exported because net/rpc requires it.
type Bencher[E, B any] struct{ kind native.Kind[E, B] }

// Echo sends the request back.
func (b *Bencher[E, B]) Echo(req, reply *E) error { return b.kind.FillEcho(req, reply) }

// Message answers the bench message.
func (b *Bencher[E, B]) Message(req, reply *B) error {
	return b.kind.FillMessage(req, reply)
}
