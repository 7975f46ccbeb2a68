//go:build !reflection

package grpc

import "google.golang.org/grpc"

// describing adds nothing to servers that are measured: with gRPC's reflection linked in,
// the heap at rest and what each collection marks are larger by 150 KB.
func describing(*grpc.Server) {}
