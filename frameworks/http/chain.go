package http

import (
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

func chains() layer.Interceptors {
	return layer.Interceptors{By: "a RoundTripper around a RoundTripper, and a Handler around a Handler"}
}

// sends returns a transport with n around it that do nothing.
func sends(t http.RoundTripper, n int) http.RoundTripper {
	for range n {
		t = sending{t}
	}
	return t
}

type sending struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (s sending) RoundTrip(r *http.Request) (*http.Response, error) { return s.next.RoundTrip(r) }

// serves is sends for a handler.
func serves(h http.Handler, n int) http.Handler {
	for range n {
		h = serving{h}
	}
	return h
}

type serving struct{ next http.Handler }

// ServeHTTP implements http.Handler.
func (s serving) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.next.ServeHTTP(w, r) }
