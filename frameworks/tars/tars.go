// Package tars adapts TarsGo over TCP.
package tars

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

const announced = "TarsGo allocates the bytes in a packet by the length that is written before them, up to 2 GiB"

// Variants lists TarsGo with its defaults, and without Nagle's algorithm, which its
// servers use by default.
func Variants() []framework.Variant {
	recommended := variant(plainly)
	recommended.Recommended, recommended.Layers = true, layers()
	return []framework.Variant{recommended, variant(tuned)}
}

// variant has no DialAll: TarsGo tells servers apart only by their hosts, and of two
// servers on a host it calls only the first.
//
// It has no layers but metadata. TarsGo has TLS (endpoints of ssl), but verifies the address of a server
// and not a name, and reads the certificates of all clients of a process once.
func variant(s setup) framework.Variant {
	return framework.Variant{
		Keys:    framework.Keys{Framework: "tars", Transport: "tcp", Codec: "tars", Profile: s.profile},
		About:   s.about + "; " + announced,
		Modules: []string{"github.com/TarsCloud/TarsGo"},
		Limits:  framework.Limits{Announced: announced, MaxMessage: MaxMessage},
		Races:   framework.Races{Calls: "TarsGo notes the time of the last call, and the proxy of a connection, without a lock"},
		Unknown: framework.Says("func mismatch"),
		Serve:   func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial:    func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, o) },
	}
}
