// Package web is net/http over connections of a conns.Set.
package web

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
)

// URL returns the URL of a server at addr: host:port, or the path of a Unix socket. With
// secure it is that of a server with TLS.
func URL(addr string, secure bool) string {
	scheme := "http://"
	if secure {
		scheme = "https://"
	}
	if address.Network(addr) == "unix" {
		return scheme + "localhost" // a URL cannot tell the path, which Transport knows
	}
	return scheme + addr
}

// Transport returns a copy of net/http's default transport that connects to addr, uses no
// proxy and keeps its connections in the set, so that they can be closed while they are in
// use. Secure is the configuration of TLS; nil for a server without.
func Transport(addr string, s *conns.Set, secure *tls.Config) *http.Transport {
	quiet()
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil // calls go to the server directly
	t.TLSClientConfig = secure
	dial := t.DialContext
	t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, err := dial(ctx, address.Network(addr), addr)
		if err == nil && !s.Add(conn) {
			err = net.ErrClosed
		}
		return conn, err
	}
	return t
}

// Pool has a transport speak HTTP/1.1, with a connection for each call under way. By default
// net/http would keep only two idle connections.
func Pool(t *http.Transport, o framework.DialOptions) {
	t.Protocols = Protocols((*http.Protocols).SetHTTP1)
	t.MaxConnsPerHost, t.MaxIdleConnsPerHost, t.MaxIdleConns = o.Callers, o.Callers, o.Callers
}

// Share has a transport speak HTTP/2, with TLS if it has a configuration of TLS. All calls
// share one connection. By default net/http opens another when the server's limit of
// concurrent calls is reached; with StrictMaxConcurrentRequests calls wait instead.
func Share(t *http.Transport, _ framework.DialOptions) {
	t.Protocols = Protocols((*http.Protocols).SetUnencryptedHTTP2)
	if t.TLSClientConfig != nil {
		t.Protocols = Protocols((*http.Protocols).SetHTTP2)
	}
	t.HTTP2 = &http.HTTP2Config{StrictMaxConcurrentRequests: true}
}

// Protocols returns a set of versions of HTTP.
func Protocols(sets ...func(*http.Protocols, bool)) *http.Protocols {
	p := new(http.Protocols)
	for _, set := range sets {
		set(p, true)
	}
	return p
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
