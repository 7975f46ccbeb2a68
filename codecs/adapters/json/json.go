// Package json measures the standard library's encoding/json.
package json

import (
	"bytes"
	"encoding/json"

	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "json", About: "encoding/json", Code: "reflection", Module: "",
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
	var w suite.Writer
	encoder := json.NewEncoder(&w)
	return suite.Serializer[N]{
		Append: func(dst []byte, m *N) ([]byte, error) {
			w = dst
			err := encoder.Encode(m)
			return bytes.TrimSuffix(w, []byte("\n")), err
		},
		Marshal:   func(m *N) ([]byte, error) { return json.Marshal(m) },
		Unmarshal: func(src []byte, m *N) error { return json.Unmarshal(src, m) },
	}
}
