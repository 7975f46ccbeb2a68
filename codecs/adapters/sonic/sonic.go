// Package sonic measures bytedance/sonic.
package sonic

import (
	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/encoder"

	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Entry is the default configuration.
func Entry() suite.Entry {
	e := entry(sonic.ConfigDefault, true)
	e.About = "JSON, compiled when first used; escapes no HTML, sorts no keys, keeps bad UTF-8"
	return e
}

// Std is the configuration that is compatible with encoding/json. It has no way to
// append: with its options, EncodeInto also changes what stands before.
func Std() suite.Entry {
	e := entry(sonic.ConfigStd, false)
	e.Mode, e.About = "std", "sonic as compatible as it can be with encoding/json: escapes HTML, sorts keys, checks strings"
	return e
}

func entry(api sonic.API, appends bool) suite.Entry {
	return suite.Entry{
		Codec: "sonic", Code: "reflection, JIT", Module: "github.com/bytedance/sonic",
		Bench:  suite.OfReset(codec[messages.Bench](api, appends)),
		Flat:   suite.OfReset(codec[messages.Flat](api, appends)),
		Small:  suite.OfReset(codec[messages.Small](api, appends)),
		Large:  suite.OfReset(codec[messages.Large](api, appends)),
		Next:   suite.OfReset(codec[messages.Next](api, appends)),
		Mapped: suite.OfReset(codec[messages.Mapped](api, appends)),
	}
}

// Own is the line of a message of one's own, in a struct of Go.
func Own[N any](c suite.Conversion[N]) suite.Entry {
	e := Entry()
	e.Own = c.Of(codec[N](sonic.ConfigDefault, true))
	return e
}

// OwnStd is Own in the configuration of Std.
func OwnStd[N any](c suite.Conversion[N]) suite.Entry {
	e := Std()
	e.Own = c.Of(codec[N](sonic.ConfigStd, false))
	return e
}

func codec[N any](api sonic.API, appends bool) func() suite.Serializer[N] {
	s := suite.Serializer[N]{
		Marshal:   func(m *N) ([]byte, error) { return api.Marshal(m) },
		Unmarshal: func(src []byte, m *N) error { return api.Unmarshal(src, m) },
	}
	if appends {
		s.Append = func(dst []byte, m *N) ([]byte, error) {
			err := encoder.EncodeInto(&dst, m, 0)
			return dst, err
		}
	}
	return func() suite.Serializer[N] { return s }
}
