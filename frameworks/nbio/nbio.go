// Package nbio echoes raw TCP's frames by a server on nbio, the event loop below arpc's
// transport=nbio. Options are nbio's defaults, as in that: a poller for each CPU, which
// reads, calls and writes.
package nbio

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/tcp"
)

// Variants lists the server on nbio with both clients of raw TCP. Over Unix sockets nbio
// 1.6.9 loses what it cannot send at once.
func Variants() []framework.Variant {
	return tcp.On(tcp.Poller{
		Name:    "nbio",
		About:   "an event loop for each CPU reads and writes, nbio's default; replies that a client does not take wait in memory",
		Modules: []string{"github.com/lesismal/nbio"},
		Serve:   serve,
	})
}
