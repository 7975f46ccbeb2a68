// Package trpc adapts tRPC-Go with its own protocol: over a pool of connections and multiplexed,
// on tnet's event loop, which it prefers where it can, and on package net. It is a module with its
// own benchmarks, because tRPC-Go has many dependencies.
package trpc

import (
	"errors"

	"trpc.group/trpc-go/trpc-go/errs"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Variants lists tRPC-Go's ways to use connections, on both of its transports, and a service with
// a stream.
func Variants() []framework.Variant {
	list := []framework.Variant{
		variant(setup{}),
		variant(setup{gonet: true}),
		variant(setup{mux: true}),
		variant(setup{mux: true, gonet: true}),
		variant(setup{gonet: true, streams: true}),
	}
	if raced {
		list = list[1:2]
	}
	list[0].Recommended, list[0].Rank = true, framework.Ranked
	return list
}

func variant(s setup) framework.Variant {
	return framework.Variant{
		Keys:        framework.Keys{Framework: "trpc", Transport: s.transport(), Codec: "protobuf", Profile: s.profile()},
		Rank:        framework.Beside,
		About:       s.about(),
		Modules:     []string{"trpc.group/trpc-go/trpc-go", "trpc.group/trpc-go/tnet", "google.golang.org/protobuf"},
		Abilities:   framework.Abilities{Streams: s.streams},
		Connections: s.connections(),
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Unknown:     unknown,
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, o) },
	}
}

// unknown reports whether err is tRPC's for a method that the server does not have.
func unknown(err error) bool {
	var e *errs.Error
	return errors.As(err, &e) && e.Type == errs.ErrorTypeCalleeFramework && e.Code == errs.RetServerNoFunc
}
