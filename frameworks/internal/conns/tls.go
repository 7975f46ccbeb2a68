package conns

import (
	"context"
	"crypto/tls"
	"net"
)

// DialTLS is Dial with TLS; without a configuration it is Dial.
func DialTLS(config *tls.Config, addr string) (net.Conn, error) {
	c, err := Dial(addr)
	if err != nil {
		return nil, err
	}
	return Secure(context.Background(), config, c)
}

// ListenTLS is Listen with TLS; without a configuration it is Listen.
func ListenTLS(config *tls.Config, addr string) (net.Listener, error) {
	l, err := Listen(addr)
	if err != nil || config == nil {
		return l, err
	}
	return tls.NewListener(l, config), nil
}

// ServeTLS is Serve with TLS; without a configuration it is Serve. A connection makes its
// handshake when handle first reads from it, or writes to it.
func ServeTLS(config *tls.Config, addr string, handle func(net.Conn)) (*Server, error) {
	l, err := ListenTLS(config, addr)
	if err != nil {
		return nil, err
	}
	return serveOn(l, handle), nil
}

// Secure makes the handshake of a client, within DialTimeout, and closes a connection on
// which it fails. Without a configuration it returns the connection as it is.
func Secure(ctx context.Context, config *tls.Config, c net.Conn) (net.Conn, error) {
	if config == nil {
		return c, nil
	}
	ctx, cancel := context.WithTimeout(ctx, DialTimeout)
	defer cancel()
	secured := tls.Client(c, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return secured, nil
}
