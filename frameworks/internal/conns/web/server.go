package web

import (
	"crypto/tls"
	"io"
	"log"
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// Server is a running server of net/http.
type Server struct {
	http *http.Server
	addr string
}

// maxStreams is how many calls an HTTP/2 connection may carry at once. With net/http's
// own limit of 250, calls have to wait, because clients may not open more connections.
// When thousands of callers wait, net/http's client hangs for ever.
const maxStreams = 100_000

// Serve serves HTTP/1.1 and HTTP/2 on addr: with TLS if secure is not nil, and otherwise
// without. flow, which may be nil, changes the configuration of HTTP/2.
func Serve(addr string, h http.Handler, secure *tls.Config, flow func(*http.HTTP2Config)) (*Server, error) {
	l, err := conns.Listen(addr)
	if err != nil {
		return nil, err
	}
	s := &Server{addr: l.Addr().String(), http: &http.Server{
		Handler:   h,
		TLSConfig: secure,
		Protocols: Protocols((*http.Protocols).SetHTTP1, (*http.Protocols).SetUnencryptedHTTP2),
		HTTP2:     &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
		ErrorLog:  log.New(io.Discard, "", 0),
	}}
	if flow != nil {
		flow(s.http.HTTP2)
	}
	if secure != nil {
		s.http.Protocols = Protocols((*http.Protocols).SetHTTP1, (*http.Protocols).SetHTTP2)
		go s.http.ServeTLS(l, "", "") // returns an error when the server is closed
	} else {
		go s.http.Serve(l)
	}
	return s, nil
}

// Addr implements framework.Server.
func (s *Server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *Server) Close() error { return s.http.Close() }
