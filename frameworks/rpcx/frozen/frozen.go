// Package frozen adapts releases of rpcx that today's adapter does not compile with. It has
// the recommended variant alone, with the same keys, options and messages, so that its lines
// compare with those of today's. It is a module of its own, because a binary has one version
// of rpcx.
package frozen

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// MaxMessage is the largest echo payload in bytes. rpcx itself has no limit.
const MaxMessage = 256 << 20

// announced is what a few bytes of a stranger can do, as with today's adapter.
const announced = "rpcx allocates a message when its length has arrived, up to MaxMessageLength, set to 384 MiB where it has no limit"

// Variants lists the one variant.
func Variants() []framework.Variant {
	return []framework.Variant{{
		Keys:        framework.Keys{Framework: "rpcx", Transport: "tcp", Codec: "protobuf"},
		Recommended: true,
		About:       "each connection is an XClient; the adapter is that of old releases; " + announced,
		Modules:     []string{"github.com/smallnest/rpcx", "google.golang.org/protobuf"},
		Limits:      framework.Limits{MaxMessage: MaxMessage, Announced: announced},
		Races:       framework.Races{Ending: "rpcx reads a call's sequence number without its lock when a context ends, and isShutdown when it closes"},
		Unknown:     framework.Says("can't find service ", "can't find method "),
		Serve:       serve,
		Dial:        dial,
	}}
}
