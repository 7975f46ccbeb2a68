// Package prutal measures cloudwego/prutal, kitex's Protocol Buffers.
package prutal

import (
	"github.com/cloudwego/prutal"
	native "github.com/rpcbench/rpcbench/codecs/adapters/internal/prutal/bench"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "prutal", About: "Protocol Buffers", Code: "reflection, structs of kitex from .proto", Module: "github.com/cloudwego/prutal",
		Bench:  suite.Of(codec[native.BenchMessage]),
		Flat:   suite.Of(codec[native.Flat]),
		Small:  suite.Of(codec[native.Small]),
		Large:  suite.Of(codec[native.Large]),
		Next:   suite.Of(codec[native.Next]),
		Mapped: suite.Of(codec[native.Mapped]),
	}
}

// Own is the line of a message of one's own, in a struct of kitex's generator.
func Own[N any](c suite.Conversion[N]) suite.Entry {
	e := Entry()
	e.Own = c.Of(codec[N])
	return e
}

func codec[N any]() suite.Serializer[N] {
	return suite.Serializer[N]{
		Append:    func(dst []byte, m *N) ([]byte, error) { return prutal.MarshalAppend(dst, m) },
		Marshal:   func(m *N) ([]byte, error) { return prutal.Marshal(m) },
		Unmarshal: func(src []byte, m *N) error { return prutal.Unmarshal(src, m) },
	}
}
