package tcp

import (
	"bufio"
	"crypto/tls"
	"net"

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

// newConn makes a conn of a connection, with TLS or without.
func newConn(c net.Conn) *conn {
	made := &conn{Conn: c, r: bufio.NewReaderSize(c, connBuffer)}
	if _, ok := c.(*tls.Conn); ok {
		made.w = bufio.NewWriterSize(c, connBuffer)
	}
	return made
}

// bare returns the connection within TLS, whose own Close waits for a peer that does not
// read.
func bare(c net.Conn) net.Conn {
	if s, ok := c.(*tls.Conn); ok {
		return s.NetConn()
	}
	return c
}
