package tcp

import (
	"context"
	"crypto/tls"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// dialer opens connections that carry one request at a time, or a stream.
type dialer struct {
	addr    string
	secured *tls.Config // nil without TLS
	setup   setup
	open    conns.Set
}

// connect opens a connection.
func (d *dialer) connect(ctx context.Context) (*conn, error) {
	nc, err := d.open.Dial(ctx, d.addr)
	if err != nil {
		return nil, reason(ctx, err)
	}
	d.setup.keep(nc)
	secured, err := conns.Secure(ctx, d.secured, nc)
	if err != nil {
		d.open.Drop(nc)
		return nil, reason(ctx, err)
	}
	return newConn(secured), nil
}

// drop closes a connection.
func (d *dialer) drop(c *conn) { d.open.Drop(bare(c.Conn)) }
