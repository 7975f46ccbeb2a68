// Package sonic measures bytedance/sonic.
package sonic

import (
	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/encoder"

	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "sonic", About: "JSON, compiled when first used", Code: "reflection, JIT", Module: "github.com/bytedance/sonic",
		Bench:  suite.Of(codec[messages.Bench]),
		Flat:   suite.Of(codec[messages.Flat]),
		Small:  suite.Of(codec[messages.Small]),
		Large:  suite.Of(codec[messages.Large]),
		Next:   suite.Of(codec[messages.Next]),
		Mapped: suite.Of(codec[messages.Mapped]),
	}
}

func codec[N any]() suite.Serializer[N] {
	return suite.Serializer[N]{
		Append: func(dst []byte, m *N) ([]byte, error) {
			err := encoder.EncodeInto(&dst, m, 0)
			return dst, err
		},
		Marshal:   func(m *N) ([]byte, error) { return sonic.Marshal(m) },
		Unmarshal: func(src []byte, m *N) error { return sonic.Unmarshal(src, m) },
	}
}
