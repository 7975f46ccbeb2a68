package suite

import (
	"compress/flate"
	"crypto/tls"
	"io"
	"net"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// The lies of tiny frameworks about their layers.
const (
	bareTLS  = "there is no TLS"
	trusting = "the client trusts every certificate"
	bareGzip = "nothing is compressed, and metadata comes back with an entry more"
	untraced = "the server makes no spans, and has no interceptors"
	spanless = "the client makes no spans, and has no interceptors"
	forgets  = "the client resumes no session, and sends no metadata"
)

// layers describes the layers of a tiny framework.
func (t tiny) layers() *framework.Layers {
	return &framework.Layers{
		Has: map[layer.Layer]string{
			layer.TLS13: "crypto/tls", layer.MTLS: "crypto/tls", layer.Gzip: "compress/flate", layer.OTel: "a counter",
		},
		Metadata: metadata.Means{By: "a field", Most: 1 << 20, Text: true},
		Chain:    layer.Interceptors{By: "functions"},
		With: func(s layer.Stack) framework.Variant {
			t.stack = s
			return t.variant()
		},
	}
}

// carried makes what calls of a client carry; nil for nothing.
func (t tiny) carried() *metadata.Calls {
	if set := t.stack.Metadata; set.Entries > 0 && t.lies != forgets {
		return set.Calls()
	}
	return nil
}

// spoil adds an entry to what came.
func (t tiny) spoil(f *tinyFrame) {
	if t.lies == bareGzip && len(f.Metadata) > 0 {
		f.Metadata["x-entry-9999"] = ""
	}
}

// intercepted calls next inside of the interceptors of a side. None is there if the side lies.
func (t tiny) intercepted(lie string, next func() error) error {
	for range t.stack.Chain {
		if t.lies != lie {
			next = within(next)
		}
	}
	return next()
}

func within(next func() error) func() error { return func() error { return next() } }

// serverConn puts the layers around a connection.
func (t tiny) serverConn(c net.Conn, secure *tls.Config) net.Conn {
	if secure != nil && t.lies != bareTLS {
		c = tls.Server(c, secure)
	}
	return t.compressed(c)
}

// clientConn is serverConn of the other side.
func (t tiny) clientConn(c net.Conn, o framework.DialOptions) net.Conn {
	if s := t.stack.ClientTLS(o.Handshakes); s != nil && t.lies != bareTLS {
		s.InsecureSkipVerify = t.lies == trusting
		if t.lies == forgets {
			s.ClientSessionCache = nil
		}
		c = tls.Client(c, s)
	}
	return t.compressed(c)
}

func (t tiny) compressed(c net.Conn) net.Conn {
	if t.stack.Compression() == "" || t.lies == bareGzip {
		return c
	}
	w, _ := flate.NewWriter(c, flate.BestSpeed) // a level that there is
	return flated{c, flate.NewReader(c), w}
}

// span counts a span of a side.
func (t tiny) span(side string) {
	if t.stack.Has(layer.OTel) && t.lies != map[string]string{"server": untraced, "client": spanless}[side] {
		count.Span(true)
	}
}

// flated is a connection that is compressed.
type flated struct {
	net.Conn
	r io.Reader
	w *flate.Writer
}

func (f flated) Read(p []byte) (int, error) { return f.r.Read(p) }

func (f flated) Write(p []byte) (n int, err error) {
	if n, err = f.w.Write(p); err == nil {
		err = f.w.Flush()
	}
	return n, err
}
