package arpc

import (
	"crypto/tls"
	"net"

	"github.com/lesismal/arpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func dial(addrs []string, s setup, k kind, o framework.DialOptions) (framework.Client, error) {
	quiet()
	h := arpc.DefaultHandler.Clone()
	s.setUp(h)
	open := new(conns.Set)
	pool, err := arpc.NewClientPoolFromDialers(dialers(addrs, o.Conns, open, s.layers.ClientTLS(o.Handshakes)), h)
	if err != nil {
		open.Close()
		return nil, err
	}
	for i := range pool.Size() {
		pool.Get(i).Codec = k.codec
	}
	return k.client(&connections{pool, len(addrs) > 1, open}, s.carries(k)), nil
}

// dialers returns n dialers for each address.
func dialers(addrs []string, n int, open *conns.Set, config *tls.Config) (list []arpc.DialerFunc) {
	for range n {
		for _, addr := range addrs {
			list = append(list, dialIn(open, addr, config))
		}
	}
	return list
}

// dialIn returns a function that opens a connection in a set, and drops the one that it
// opened before: arpc dials again when it has lost that.
func dialIn(open *conns.Set, addr string, config *tls.Config) arpc.DialerFunc {
	var last net.Conn
	return func() (net.Conn, error) {
		if last != nil {
			open.Drop(last)
		}
		c, err := conns.DialTLS(config, addr)
		if err == nil && !open.Add(c) {
			return nil, net.ErrClosed
		}
		last = c
		return c, err
	}
}
