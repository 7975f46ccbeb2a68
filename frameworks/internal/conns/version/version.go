// Package version has the versions of HTTP in one way: those of net/http, and HTTP/3 of quic-go.
package version

import (
	"crypto/tls"
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/h3"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/web"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Version is a version of HTTP.
type Version struct {
	// Limit has a transport of net/http keep to the budget of connections; nil for HTTP/3,
	// whose transport is not net/http's.
	Limit func(*http.Transport, framework.DialOptions)
}

// Datagrams reports whether it is HTTP/3.
func (v Version) Datagrams() bool { return v.Limit == nil }

// RoundTripper returns the default transport, which keeps to the budget and has its connections
// in the set. flow sets the windows of HTTP/2; nil leaves them.
func (v Version) RoundTripper(addr string, set *conns.Set, secure *tls.Config, o framework.DialOptions, flow func(*http.HTTP2Config)) (http.RoundTripper, error) {
	if v.Datagrams() {
		return h3.Transport(set, secure)
	}
	t := web.Transport(addr, set, secure)
	v.Limit(t, o)
	if flow != nil && t.HTTP2 != nil {
		flow(t.HTTP2)
	}
	return t, nil
}

// Explain says more of the error of a first call, where the framework says little.
func (v Version) Explain(err error) error {
	if v.Datagrams() {
		return h3.Explain(err)
	}
	return err
}

// Serve serves a handler. flow is as for RoundTripper.
func (v Version) Serve(addr string, h http.Handler, secure *tls.Config, flow func(*http.HTTP2Config)) (framework.Server, error) {
	if v.Datagrams() {
		return h3.Serve(addr, h, secure)
	}
	return web.Serve(addr, h, secure, flow)
}
