package http

import (
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/h3"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/version"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/web"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// setup is a version of HTTP with its connection model, and the layers of both sides.
type setup struct {
	transport string
	about     string
	sharing   framework.Sharing
	// clients returns the number of HTTP clients, which the workers share.
	clients func(framework.DialOptions) int
	version.Version
	layers layer.Stack
}

// with returns the setup with layers.
func (s setup) with(stack layer.Stack) setup {
	s.layers = stack
	return s
}

// h1 has a pooled connection for each call under way.
var h1 = setup{
	transport: "h1",
	sharing:   framework.Pooled,
	clients:   func(framework.DialOptions) int { return 1 },
	Version:   version.Version{Limit: web.Pool},
}

// h2 shares connections. An HTTP client of net/http opens one connection to a host.
var h2 = setup{
	transport: "h2",
	about:     "; net/http's limit of 250 calls at once on a connection is lifted",
	sharing:   framework.Fixed,
	clients:   func(o framework.DialOptions) int { return o.Conns },
	Version:   version.Version{Limit: web.Share},
}

// overQUIC shares connections. A transport of quic-go opens one connection to a host.
var overQUIC = setup{
	transport: "h3",
	about:     "; " + h3.About,
	sharing:   framework.Fixed,
	clients:   func(o framework.DialOptions) int { return o.Conns },
}
