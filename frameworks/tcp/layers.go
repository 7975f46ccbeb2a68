package tcp

import (
	"bufio"
	"context"
	"crypto/tls"
	"net"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// layers describes the layers of a variant of which with makes others: what TLS costs
// without a framework.
func layers(with func(options) framework.Variant) *framework.Layers {
	return &framework.Layers{
		Has:  map[framework.Layer]string{framework.TLS13: "crypto/tls around each connection", framework.MTLS: "crypto/tls around each connection"},
		With: func(s framework.Stack) framework.Variant { return with(options{layers: s}) },
	}
}

// secureServer puts TLS around a connection of a server. Its first read is the handshake.
func (o options) secureServer(c net.Conn) net.Conn {
	if config := o.layers.ServerTLS(); config != nil {
		return tls.Server(c, config)
	}
	return c
}

// secureClient puts TLS around a connection of a client, and makes the handshake.
func (o options) secureClient(ctx context.Context, c net.Conn, d framework.DialOptions) (net.Conn, error) {
	config := o.layers.ClientTLS(d)
	if config == nil {
		return c, nil
	}
	ctx, cancel := context.WithTimeout(ctx, conns.DialTimeout)
	defer cancel()
	s := tls.Client(c, config)
	if err := s.HandshakeContext(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return s, nil
}

// secured makes a conn of a new connection of a client.
func (o options) secured(ctx context.Context, c net.Conn, d framework.DialOptions) (*conn, error) {
	s, err := o.secureClient(ctx, c, d)
	if err != nil {
		return nil, reason(ctx, err)
	}
	made := &conn{Conn: s, r: bufio.NewReaderSize(s, connBuffer)}
	if s != c {
		made.w = bufio.NewWriterSize(s, connBuffer)
	}
	return made, nil
}

// bare returns the connection within TLS, whose own Close waits for a peer that does not
// read.
func bare(c net.Conn) net.Conn {
	if s, ok := c.(*tls.Conn); ok {
		return s.NetConn()
	}
	return c
}
