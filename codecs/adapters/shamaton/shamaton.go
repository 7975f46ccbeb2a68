// Package shamaton measures shamaton/msgpack.
package shamaton

import (
	"github.com/shamaton/msgpack/v3"

	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "shamaton", About: "MessagePack, maps by field name", Code: "reflection", Module: "github.com/shamaton/msgpack/v3",
		Bench:  suite.OfReset(codec[messages.Bench]),
		Flat:   suite.OfReset(codec[messages.Flat]),
		Small:  suite.OfReset(codec[messages.Small]),
		Large:  suite.OfReset(codec[messages.Large]),
		Next:   suite.OfReset(codec[messages.Next]),
		Mapped: suite.OfReset(codec[messages.Mapped]),
		Shares: true,        // an Item's blob shares the input's memory
		Hazard: suite.Kills, // deep nesting overflows the stack
	}
}

// Own is the line of a message of one's own, in a struct of Go.
func Own[N any](c suite.Conversion[N]) suite.Entry {
	e := Entry()
	e.Own = c.Of(codec[N])
	return e
}

func codec[N any]() suite.Serializer[N] {
	var w suite.Writer
	return suite.Serializer[N]{
		Append: func(dst []byte, m *N) ([]byte, error) {
			w = dst
			err := msgpack.MarshalWrite(&w, m)
			return w, err
		},
		Marshal:   func(m *N) ([]byte, error) { return msgpack.Marshal(m) },
		Unmarshal: func(src []byte, m *N) error { return msgpack.Unmarshal(src, m) },
	}
}
