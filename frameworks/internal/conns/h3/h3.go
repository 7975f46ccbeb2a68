// Package h3 is HTTP/3 by quic-go. QUIC has no connections without TLS, and its packets are
// datagrams of UDP.
package h3

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// About says how both sides are set up, in clauses.
const About = "HTTP/3 over QUIC, whose connections all have TLS 1.3, so that the row to set beside it is one with `with=tls13`; " +
	"each connection has a UDP socket of the client, quic-go's default; quic-go's limit of 100 calls at once on a connection is lifted; " +
	"receive windows: 512 KiB of a stream and 768 KiB of a connection at first, which grow up to 6 and 15 MiB; " +
	"no 0-RTT; a client learns of a server that was killed when 30 s have passed in silence, quic-go's default"

// Module is what the version of a variant is printed of.
const Module = "github.com/quic-go/quic-go"

// maxStreams is how many calls a connection may carry at once, as that of HTTP/2 in package
// web. Calls beyond quic-go's own limit of 100 would wait, and clients may not open more
// connections.
const maxStreams = 100_000

// quiet keeps quic-go from telling of a small socket buffer, which the suite tells once.
var quiet = sync.OnceFunc(func() { _ = os.Setenv("QUIC_GO_DISABLE_RECEIVE_BUFFER_WARNING", "true") })

// Server is a running server.
type Server struct {
	http *http3.Server
	conn *net.UDPConn
}

// errNoTLS is the error of a variant without certificates.
var errNoTLS = errors.New("HTTP/3 takes certificates, and there are none")

// Serve serves HTTP/3 on addr.
func Serve(addr string, h http.Handler, secure *tls.Config) (*Server, error) {
	if secure == nil {
		return nil, errNoTLS
	}
	quiet()
	at, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		return nil, err
	}
	c, err := net.ListenUDP("udp", at)
	if err != nil {
		return nil, err
	}
	s := &Server{conn: c, http: &http3.Server{
		Handler: h, TLSConfig: secure, QUICConfig: &quic.Config{MaxIncomingStreams: maxStreams}, Logger: slog.New(slog.DiscardHandler),
	}}
	go s.http.Serve(c) // returns an error when the server is closed
	return s, nil
}

// Addr implements framework.Server.
func (s *Server) Addr() string { return s.conn.LocalAddr().String() }

// Close implements framework.Server. It tells the clients.
func (s *Server) Close() error { return errors.Join(s.http.Close(), s.conn.Close()) }

// Transport returns quic-go's default transport, which has one connection to a server. It is
// in the set, so that its connection can be closed while it is in use.
func Transport(s *conns.Set, secure *tls.Config) (*http3.Transport, error) {
	if secure == nil {
		return nil, errNoTLS
	}
	quiet()
	t := &http3.Transport{TLSClientConfig: secure}
	if !s.Add(t) {
		return nil, net.ErrClosed
	}
	return t, nil
}

// Explain says of the error of a first call if nothing was heard of the server.
func Explain(err error) error {
	var handshake *quic.HandshakeTimeoutError
	var idle *quic.IdleTimeoutError
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &handshake) || errors.As(err, &idle) {
		return fmt.Errorf("no answer to QUIC's handshake: UDP is blocked on the way, or nobody listens there: %w", err)
	}
	return err
}
