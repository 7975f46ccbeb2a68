package protobuf

import (
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Comparison compares messages as the library does: nil and empty lists are equal, NaN
// equals NaN, and unknown fields count.
func Comparison[T any, M message[T]]() suite.Comparison[T] {
	return suite.Comparison[T]{Equal: func(got, want *T) bool { return proto.Equal(M(got), M(want)) }}
}
