// Package zrpc adapts zRPC of go-zero, which is gRPC with go-zero's interceptors around each
// call. It is there to say what they add: its variants have all of them, none, or one alone. It
// is a module with its own benchmarks, because go-zero has many dependencies.
package zrpc

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// MaxMessage is the largest echo payload in bytes, as in the adapter of gRPC: gRPC's own limit,
// 4 MiB for what is received, is lifted on both sides.
const MaxMessage = 256 << 20

// maxEncoded is the limit of the adapter of gRPC.
const maxEncoded = MaxMessage + MaxMessage/2

const about = "each connection is a client of zRPC over a direct endpoint, with its balancer p2c_ewma"

// Variants lists zRPC with all of its default middlewares, with none, and with each alone.
func Variants() []framework.Variant {
	recommended := variant(quickStart)
	recommended.Recommended = true
	list := []framework.Variant{recommended}
	for _, s := range others() {
		list = append(list, variant(s))
	}
	return list
}

func variant(s setup) framework.Variant {
	v := framework.Variant{
		Keys:      framework.Keys{Framework: "zrpc", Transport: "h2", Codec: "protobuf", Profile: s.profile},
		About:     about + "; " + s.about,
		Modules:   []string{"github.com/zeromicro/go-zero", "google.golang.org/grpc", "google.golang.org/protobuf"},
		Abilities: framework.Abilities{Streams: true},
		Limits:    framework.Limits{MaxMessage: MaxMessage},
		Unknown:   unknown,
		Serve:     func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial: func(addr string, o framework.DialOptions) (framework.Client, error) {
			return dial([]string{addr}, s, p2c, o)
		},
		Policies: policies(s),
	}
	v.DialAll = v.Policies[0].DialAll
	if s.profile != "" {
		v.Rank = framework.Beside
	}
	return v
}
