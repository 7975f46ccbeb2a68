//go:build !amd64 && !arm64

package hyperpb

import (
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Entries is empty where the library does not compile.
func Entries() []suite.Entry { return nil }

// Own is a line that refuses every message, where the library does not compile.
func Own[T any, M interface {
	*T
	proto.Message
}]() suite.Entry {
	return suite.Entry{Codec: "hyperpb", Refuses: "runs on amd64 and arm64 alone"}
}
