//go:build !amd64 && !arm64

package hyperpb

import (
	"errors"

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
	refuse := errors.New("runs on amd64 and arm64 alone")
	return suite.Entry{Codec: "hyperpb", Own: suite.Of(func() suite.Serializer[T] {
		return suite.Serializer[T]{
			Input:     func(any) ([]byte, error) { return nil, refuse },
			Unmarshal: func([]byte, *T) error { return refuse },
		}
	})}
}
