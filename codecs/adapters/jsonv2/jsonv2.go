// Package jsonv2 measures the next version of encoding/json. It uses the version's
// module, so that no GOEXPERIMENT is needed.
package jsonv2

import (
	"github.com/go-json-experiment/json"

	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "jsonv2", About: "encoding/json/v2 as a module", Code: "reflection", Module: "github.com/go-json-experiment/json",
		Bench:  suite.OfReset(codec[messages.Bench]),
		Flat:   suite.OfReset(codec[messages.Flat]),
		Small:  suite.OfReset(codec[messages.Small]),
		Large:  suite.OfReset(codec[messages.Large]),
		Next:   suite.OfReset(codec[messages.Next]),
		Mapped: suite.OfReset(codec[messages.Mapped]),
		Losses: []suite.Loss{suite.EmptyTextIsAbsent}, // its omitempty leaves out every field that encodes as empty
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
			err := json.MarshalWrite(&w, m)
			return w, err
		},
		Marshal:   func(m *N) ([]byte, error) { return json.Marshal(m) },
		Unmarshal: func(src []byte, m *N) error { return json.Unmarshal(src, m) },
	}
}
