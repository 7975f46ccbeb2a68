// Package gnet echoes raw TCP's frames by a server on gnet, an event loop of its own on
// epoll or kqueue. Options are those of gnet's examples: an event loop for each CPU, and
// gnet's defaults.
package gnet

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/tcp"
)

// Variants lists the server on gnet with both clients of raw TCP.
func Variants() []framework.Variant {
	return tcp.On(tcp.Poller{
		Name:    "gnet",
		About:   "an event loop for each CPU reads and writes, by WithMulticore; replies that a client does not take wait in memory",
		Modules: []string{"github.com/panjf2000/gnet/v2"},
		Unix:    true,
		Serve:   serve,
	})
}
