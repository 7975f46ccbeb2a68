// Package web is net/http over connections that are kept account of.
package web

import (
	"context"
	"net"
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// Transport is net/http's default transport, without a proxy, with its
// connections in the set: they can be closed while they are in use.
func Transport(s *conns.Set) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil // what is measured is the server itself
	dial := t.DialContext
	t.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err == nil && !s.Add(conn) {
			err = net.ErrClosed
		}
		return conn, err
	}
	return t
}
