// Package netpoll echoes raw TCP's frames by a server on netpoll, the poller below kitex.
// Options are netpoll's defaults: one poller for 20 CPUs, and goroutines of its pool for
// connections that have a request.
package netpoll

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/tcp"
)

// Variants lists the server on netpoll with both clients of raw TCP.
func Variants() []framework.Variant {
	return tcp.On(tcp.Poller{
		Name:    "netpoll",
		About:   "a poller for each 20 CPUs reads, and a goroutine of netpoll's pool answers and writes, netpoll's default; frames are not copied",
		Modules: []string{"github.com/cloudwego/netpoll"},
		Unix:    true,
		Serve:   serve,
	})
}
