// Package frozen adapts releases of gRPC that today's adapter does not compile with. It
// has the recommended variant alone, with the same keys, options and messages, so that
// its lines compare with those of today's. It is a module of its own, because a binary
// has one version of gRPC.
package frozen

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// MaxMessage is the largest echo payload in bytes: gRPC's own limit, 4 MiB for
// what is received, is lifted on both sides.
const MaxMessage = 256 << 20

// maxEncoded is the limit of today's adapter, which leaves room for other encodings.
const maxEncoded = MaxMessage + MaxMessage/2

// Variants lists the one variant.
func Variants() []framework.Variant {
	return []framework.Variant{{
		Keys:        framework.Keys{Framework: "grpc", Transport: "h2", Codec: "protobuf"},
		Recommended: true,
		About:       "each connection is a ClientConn; the adapter is that of old releases, without streams",
		Modules:     []string{"google.golang.org/grpc", "google.golang.org/protobuf"},
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Unknown:     unknown,
		Serve:       serve,
		Dial:        dial,
	}}
}
