// Package vtproto measures planetscale/vtprotobuf, which generates code for
// the messages of google.golang.org/protobuf.
package vtproto

import (
	"slices"

	"github.com/rpcbench/rpcbench/codecs/adapters/internal/pb"
	"github.com/rpcbench/rpcbench/codecs/adapters/internal/transfer"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Entry copies strings and bytes when it decodes.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "vtproto", About: "Protocol Buffers", Code: "protoc-gen-go-vtproto, .proto", Module: "github.com/planetscale/vtprotobuf",
		Bench:  suite.Of(safe[pb.BenchMessage]),
		Flat:   suite.Of(safe[pb.Flat]),
		Small:  suite.Of(safe[pb.Small]),
		Large:  suite.Of(safe[pb.Large]),
		Next:   suite.Of(safe[pb.Next]),
		Mapped: suite.Of(safe[pb.Mapped]),
	}
}

// Unsafe decodes strings and bytes without copying them: they share the input's
// memory.
func Unsafe() suite.Entry {
	e := Entry()
	e.Mode, e.Shares = "unsafe", true
	e.Bench = suite.Of(unsafe[pb.BenchMessage])
	e.Flat = suite.Of(unsafe[pb.Flat])
	e.Small = suite.Of(unsafe[pb.Small])
	e.Large = suite.Of(unsafe[pb.Large])
	e.Next = suite.Of(unsafe[pb.Next])
	e.Mapped = suite.Of(unsafe[pb.Mapped])
	return e
}

// Own is the line of a message of one's own. Without a Conversion an N is made of any
// message of Protocol Buffers with the same descriptor.
func Own[N any, M message[N]](c suite.Conversion[N]) suite.Entry {
	e := Entry()
	e.Own = transfer.Conversion(c).Of(safe[N, M])
	return e
}

// OwnUnsafe is Own as in Unsafe.
func OwnUnsafe[N any, M message[N]](c suite.Conversion[N]) suite.Entry {
	e := Unsafe()
	e.Own = transfer.Conversion(c).Of(unsafe[N, M])
	return e
}

// message is a pointer to a generated struct.
type message[N any] interface {
	*N
	SizeVT() int
	MarshalVT() ([]byte, error)
	MarshalToSizedBufferVT(dst []byte) (int, error)
	UnmarshalVT(src []byte) error
	UnmarshalVTUnsafe(src []byte) error
	ResetVT()
}

func safe[N any, M message[N]]() suite.Serializer[N] {
	return suite.Serializer[N]{
		Append: func(dst []byte, m *N) ([]byte, error) {
			size := M(m).SizeVT()
			end := len(dst) + size
			dst = slices.Grow(dst, size)[:end]
			_, err := M(m).MarshalToSizedBufferVT(dst[end-size:])
			return dst, err
		},
		Marshal:   func(m *N) ([]byte, error) { return M(m).MarshalVT() },
		Unmarshal: func(src []byte, m *N) error { return M(m).UnmarshalVT(src) },
		Reset:     func(m *N) { M(m).ResetVT() },
	}
}

func unsafe[N any, M message[N]]() suite.Serializer[N] {
	c := safe[N, M]()
	c.Unmarshal = func(src []byte, m *N) error { return M(m).UnmarshalVTUnsafe(src) }
	return c
}
