package layers

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/paired"
)

// quantity is what an addition changes.
type quantity struct {
	paired.Quantity
	bounded bool  // a small difference is told as being below bound
	by      added // the tables that have it; "" for all
	offered bool  // only calls at an offered rate have it
}

var quantities = []quantity{
	{Quantity: paired.Of("CPU of both sides", "base µs", 1e3, "client-cpu-ns/op", "server-cpu-ns/op"), bounded: true},
	{Quantity: paired.Of("CPU of the client", "base µs", 1e3, "client-cpu-ns/op"), bounded: true},
	{Quantity: paired.Of("CPU of the server", "base µs", 1e3, "server-cpu-ns/op"), bounded: true},
	{Quantity: paired.Of("p99", "base ms", 1e6, "p99-ns"), offered: true},
	{Quantity: paired.Of("memory of the client", "base MB", 1e6, "client-rss-B"), by: bySettings},
	{Quantity: paired.Of("memory of the server", "base MB", 1e6, "server-rss-B"), by: bySettings},
	{Quantity: paired.Of("bytes of a request", "base B", 1, "request-wire-B/op"), by: byLayers},
	{Quantity: paired.Of("bytes of a reply", "base B", 1, "reply-wire-B/op"), by: byLayers},
	{Quantity: paired.Of("dial", "base ms", 1e6, "dial-ns")},
	{Quantity: paired.Of("first call", "base ms", 1e6, "first-call-ns")},
}

// in reports whether tables of a kind have it.
func (q quantity) in(k *material.Kind, by added) bool {
	return (!q.offered || k.Offered) && (q.by == "" || q.by == by)
}
