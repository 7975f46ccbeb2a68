// Package kitex measures kitex's FastCodec: Thrift's binary protocol with generated
// code.
package kitex

import (
	"slices"

	"github.com/cloudwego/gopkg/protocol/thrift"
	native "github.com/rpcbench/rpcbench/codecs/adapters/internal/kitex/thrift"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "kitex", About: "Thrift binary, FastCodec", Code: "kitex, .thrift", Module: "github.com/cloudwego/gopkg",
		Bench:  suite.Of(codec[native.Bench]),
		Flat:   suite.Of(codec[native.Flat]),
		Small:  suite.Of(codec[native.Small]),
		Large:  suite.Of(codec[native.Large]),
		Next:   suite.Of(codec[native.Next]),
		Mapped: suite.Of(codec[native.Mapped]),
		Hazard: suite.Kills,
	}
}

// message is a pointer to a generated struct.
type message[N any] interface {
	*N
	thrift.FastCodec
}

func codec[N any, M message[N]]() suite.Serializer[N] {
	return suite.Serializer[N]{
		Append: func(dst []byte, m *N) ([]byte, error) {
			size := M(m).BLength()
			n := len(dst)
			dst = slices.Grow(dst, size)[:n+size]
			return dst[:n+M(m).FastWriteNocopy(dst[n:], nil)], nil
		},
		Marshal:   func(m *N) ([]byte, error) { return thrift.FastMarshal(M(m)), nil },
		Unmarshal: func(src []byte, m *N) error { return thrift.FastUnmarshal(src, M(m)) },
	}
}
