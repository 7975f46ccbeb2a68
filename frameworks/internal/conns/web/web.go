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
)

// Transport returns a copy of net/http's default transport that uses no proxy and
// keeps its connections in the set, so that they can be closed while they are in use.
func Transport(s *conns.Set) *http.Transport {
	quiet()
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
