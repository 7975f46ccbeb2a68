package http

import (
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/h3"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/web"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// setup is a version of HTTP with its connection model, and the layers of both sides.
type setup struct {
	transport string
	about     string
	sharing   framework.Sharing
	// clients returns the number of HTTP clients, which the workers share.
	clients func(framework.DialOptions) int
	// limit has a transport keep to the budget; nil for HTTP/3, which is not net/http's.
	limit  func(*http.Transport, framework.DialOptions)
	layers framework.Stack
}

// datagrams reports whether the setup is HTTP/3.
func (s setup) datagrams() bool { return s.limit == nil }

// roundTripper returns the default transport, which keeps to the budget and has its connections
// in the set.
func (s setup) roundTripper(addr string, set *conns.Set, o framework.DialOptions) (http.RoundTripper, error) {
	if s.datagrams() {
		return h3.Transport(set, s.layers.ClientTLS(o))
	}
	t := web.Transport(addr, set, s.layers.ClientTLS(o))
	s.limit(t, o)
	return t, nil
}

// explain says more of the error of a first call, where the framework says little.
func (s setup) explain(err error) error {
	if s.datagrams() {
		return h3.Explain(err)
	}
	return err
}

// serve serves a handler.
func (s setup) serve(addr string, h http.Handler) (framework.Server, error) {
	if s.datagrams() {
		return h3.Serve(addr, h, s.layers.ServerTLS())
	}
	return web.Serve(addr, h, s.layers.ServerTLS(), nil)
}

// with returns the setup with layers.
func (s setup) with(stack framework.Stack) setup {
	s.layers = stack
	return s
}

// h1 has a pooled connection for each call under way.
var h1 = setup{
	transport: "h1",
	sharing:   framework.Pooled,
	clients:   func(framework.DialOptions) int { return 1 },
	limit:     web.Pool,
}

// h2 shares connections. An HTTP client of net/http opens one connection to a host.
var h2 = setup{
	transport: "h2",
	about:     "; net/http's limit of 250 calls at once on a connection is lifted",
	sharing:   framework.Fixed,
	clients:   func(o framework.DialOptions) int { return o.Conns },
	limit:     web.Share,
}

// overQUIC shares connections. A transport of quic-go opens one connection to a host.
var overQUIC = setup{
	transport: "h3",
	about:     "; " + h3.About,
	sharing:   framework.Fixed,
	clients:   func(o framework.DialOptions) int { return o.Conns },
}
