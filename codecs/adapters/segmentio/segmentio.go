// Package segmentio measures the JSON of segmentio/encoding.
package segmentio

import (
	"github.com/segmentio/encoding/json"

	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "segmentio", About: "JSON", Code: "reflection", Module: "github.com/segmentio/encoding",
		Bench:  suite.OfReset(codec[messages.Bench]),
		Flat:   suite.OfReset(codec[messages.Flat]),
		Small:  suite.OfReset(codec[messages.Small]),
		Large:  suite.OfReset(codec[messages.Large]),
		Next:   suite.OfReset(codec[messages.Next]),
		Mapped: suite.OfReset(codec[messages.Mapped]),
		Hazard: suite.Kills, // deep nesting overflows the stack
	}
}

// flags has the defaults of the package's Marshal.
const flags = json.EscapeHTML | json.SortMapKeys

// Own is the line of a message of one's own, in a struct of Go.
func Own[N any](c suite.Conversion[N]) suite.Entry {
	e := Entry()
	e.Own = c.Of(codec[N])
	return e
}

func codec[N any]() suite.Serializer[N] {
	return suite.Serializer[N]{
		Append:    func(dst []byte, m *N) ([]byte, error) { return json.Append(dst, m, flags) },
		Marshal:   func(m *N) ([]byte, error) { return json.Marshal(m) },
		Unmarshal: func(src []byte, m *N) error { return json.Unmarshal(src, m) },
	}
}
