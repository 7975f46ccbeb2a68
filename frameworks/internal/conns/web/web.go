// Package web is net/http over connections of a conns.Set.
package web

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// URL returns the URL of a server at addr: host:port, or the path of a Unix socket.
func URL(addr string) string {
	if framework.NetworkOf(addr) == "unix" {
		return "http://localhost" // a URL cannot tell the path, which Transport knows
	}
	return "http://" + addr
}

// Transport returns a copy of net/http's default transport that connects to addr, uses no
// proxy and keeps its connections in the set, so that they can be closed while they are in
// use.
func Transport(addr string, s *conns.Set) *http.Transport {
	quiet()
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil // calls go to the server directly
	dial := t.DialContext
	t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, err := dial(ctx, framework.NetworkOf(addr), addr)
		if err == nil && !s.Add(conn) {
			err = net.ErrClosed
		}
		return conn, err
	}
	return t
}

// quiet drops what a transport logs of a reply that no call waits for, as after bits
// were flipped. It goes to the standard logger, whose output would cut a result's line
// in two: `go test` mixes it with the results.
func quiet() {
	if _, ok := log.Writer().(solicited); !ok {
		log.SetOutput(solicited{log.Writer()})
	}
}

// solicited passes on all other messages.
type solicited struct{ io.Writer }

func (s solicited) Write(message []byte) (int, error) {
	if bytes.Contains(message, []byte("Unsolicited response received on idle HTTP channel")) {
		return len(message), nil
	}
	return s.Writer.Write(message)
}
