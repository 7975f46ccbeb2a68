// Package cbor measures fxamacker/cbor.
package cbor

import (
	"bytes"

	"github.com/fxamacker/cbor/v2"

	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "cbor", About: "CBOR, maps by field name", Code: "reflection", Module: "github.com/fxamacker/cbor/v2",
		Bench:  suite.OfReset(codec[messages.Bench]),
		Flat:   suite.OfReset(codec[messages.Flat]),
		Small:  suite.OfReset(codec[messages.Small]),
		Large:  suite.OfReset(codec[messages.Large]),
		Next:   suite.OfReset(codec[messages.Next]),
		Mapped: suite.OfReset(codec[messages.Mapped]),
	}
}

// Own is the line of a message of one's own, in a struct of Go.
func Own[N any](c suite.Conversion[N]) suite.Entry {
	e := Entry()
	e.Own = c.Of(codec[N])
	return e
}

func codec[N any]() suite.Serializer[N] {
	var buf bytes.Buffer
	return suite.Serializer[N]{
		Append: func(dst []byte, m *N) ([]byte, error) {
			buf = *bytes.NewBuffer(dst)
			err := cbor.MarshalToBuffer(m, &buf)
			return buf.Bytes(), err
		},
		Marshal:   func(m *N) ([]byte, error) { return cbor.Marshal(m) },
		Unmarshal: func(src []byte, m *N) error { return cbor.Unmarshal(src, m) },
	}
}
