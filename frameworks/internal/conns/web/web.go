// Package web is net/http over connections of a conns.Set.
package web

import (
	"context"
	"net"
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// Transport returns a copy of net/http's default transport that uses no proxy and
// keeps its connections in the set, so that they can be closed while they are in use.
func Transport(s *conns.Set) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil // calls go to the server directly
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
