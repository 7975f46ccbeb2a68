// Package probe tells why a server of HTTP cannot be reached, before a load.
package probe

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
)

// greeting is what an HTTP/2 client says first: a preface, and settings that are all the
// default.
const greeting = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\x00\x00\x00\x04\x00\x00\x00\x00\x00"

// Server makes one connection to the address, of a host and a port, over TLS if secure is not
// nil, and returns an error that says why none can be made. If http2, it also says why no
// server of HTTP/2 answers there; a server of HTTP/1.1 speaks only when it is asked for something.
func Server(ctx context.Context, address string, secure *tls.Config, http2 bool) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return unreachable(address, err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Now()) })()
	if secure != nil {
		over := tls.Client(conn, settings(address, secure, http2))
		if err := over.HandshakeContext(ctx); err != nil {
			return insecure(address, err)
		}
		if http2 && over.ConnectionState().NegotiatedProtocol != "h2" {
			return withoutHTTP2(address)
		}
		conn = over
	}
	if !http2 {
		return nil
	}
	return greet(conn, address, secure != nil)
}

// settings are what clients make of a tls.Config.
func settings(address string, secure *tls.Config, http2 bool) *tls.Config {
	s := secure.Clone()
	if s.ServerName == "" {
		s.ServerName, _, _ = net.SplitHostPort(address)
	}
	if s.NextProtos = []string{"http/1.1"}; http2 {
		s.NextProtos = []string{"h2"}
	}
	return s
}

// ErrCertificate is what is wrong if the certificate of a server is not trusted.
var ErrCertificate = errors.New("its certificate is not trusted")

// unreachable is the error of a connection that was not made.
func unreachable(address string, err error) error {
	if failed, is := errors.AsType[*net.DNSError](err); is {
		host, _, _ := net.SplitHostPort(address)
		return fmt.Errorf("the host %s does not resolve: %w", host, failed)
	}
	return fmt.Errorf("no connection to %s: %w", address, err)
}

// insecure is the error of a handshake with what to do.
func insecure(address string, err error) error {
	if untrusted, is := errors.AsType[*tls.CertificateVerificationError](err); is {
		return fmt.Errorf("%s: %w: %w", address, ErrCertificate, untrusted.Err)
	}
	_, plain := errors.AsType[tls.RecordHeaderError](err)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("no TLS with %s in time: %w", address, err)
	case plain:
		return fmt.Errorf("%s does not speak TLS: connect to it without", address)
	case strings.HasSuffix(err.Error(), noProtocol):
		return withoutHTTP2(address)
	case closed(err):
		return fmt.Errorf("%s closed the connection when asked for TLS, as a server without TLS does", address)
	}
	return fmt.Errorf("no TLS with %s: %w", address, err)
}

// noProtocol is the text of the alert of a server that speaks no protocol of its client's.
// Package crypto/tls keeps its type to itself.
const noProtocol = "tls: no application protocol"

func withoutHTTP2(address string) error {
	return fmt.Errorf("%s speaks TLS, but not HTTP/2 over it (ALPN h2)", address)
}

// alertRecord begins what a server with TLS answers to who speaks without.
const alertRecord = 0x15

// greet says hello, and reads the head of the first frame: its length in 3 bytes, and its
// type, of which 4 is settings.
func greet(conn net.Conn, address string, secure bool) error {
	_, err := io.WriteString(conn, greeting)
	head := make([]byte, 9)
	if err == nil {
		_, err = io.ReadFull(conn, head)
	}
	switch {
	case !secure && (closed(err) || err == nil && head[0] == alertRecord):
		return fmt.Errorf("%s does not speak HTTP/2 without TLS: if its clients use TLS, connect with TLS", address)
	case err != nil:
		return fmt.Errorf("%s takes connections, but does not answer in HTTP/2: %w", address, err)
	case head[3] != 4:
		return fmt.Errorf("%s does not speak HTTP/2: its answer begins with %q", address, head)
	}
	return nil
}

// closed reports whether the other side closed the connection.
func closed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
