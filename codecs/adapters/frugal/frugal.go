// Package frugal measures cloudwego/frugal: Thrift's binary protocol by reflection, on
// the structs that kitex generates.
package frugal

import (
	"slices"

	"github.com/cloudwego/frugal"
	native "github.com/rpcbench/rpcbench/codecs/adapters/internal/kitex/thrift"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "frugal", About: "Thrift binary", Code: "reflection, structs of kitex from .thrift", Module: "github.com/cloudwego/frugal",
		Bench:  suite.Of(codec[native.Bench]),
		Flat:   suite.Of(codec[native.Flat]),
		Small:  suite.Of(codec[native.Small]),
		Large:  suite.Of(codec[native.Large]),
		Next:   suite.Of(codec[native.Next]),
		Mapped: suite.Of(codec[native.Mapped]),
		Hazard: suite.Kills,
	}
}

func codec[N any]() suite.Serializer[N] {
	encode := func(dst []byte, m *N) ([]byte, error) {
		size := frugal.EncodedSize(m)
		n := len(dst)
		dst = slices.Grow(dst, size)[:n+size]
		size, err := frugal.EncodeObject(dst[n:], nil, m)
		return dst[:n+size], err
	}
	return suite.Serializer[N]{
		Append: encode,
		Unmarshal: func(src []byte, m *N) error {
			_, err := frugal.DecodeObject(src, m)
			return err
		},
	}
}
