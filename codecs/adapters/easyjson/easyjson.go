// Package easyjson measures mailru/easyjson.
package easyjson

import (
	"github.com/mailru/easyjson"
	"github.com/mailru/easyjson/jwriter"
	"github.com/rpcbench/rpcbench/codecs/adapters/easyjson/native"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "easyjson", About: "JSON", Code: "easyjson, Go structs", Module: "github.com/mailru/easyjson",
		Bench:  suite.OfReset(codec[native.Bench]),
		Flat:   suite.OfReset(codec[native.Flat]),
		Small:  suite.OfReset(codec[native.Small]),
		Large:  suite.OfReset(codec[native.Large]),
		Next:   suite.OfReset(codec[native.Next]),
		Mapped: suite.OfReset(codec[native.Mapped]),
	}
}

// message is a pointer to a struct with generated methods.
type message[N any] interface {
	*N
	easyjson.Marshaler
	easyjson.Unmarshaler
}

// Own is the line of a message of one's own, in a struct with generated methods.
func Own[N any, M message[N]](c suite.Conversion[N]) suite.Entry {
	e := Entry()
	e.Own = c.Of(codec[N, M])
	return e
}

func codec[N any, M message[N]]() suite.Serializer[N] {
	return suite.Serializer[N]{
		Append: func(dst []byte, m *N) ([]byte, error) {
			var w jwriter.Writer
			M(m).MarshalEasyJSON(&w)
			n := len(dst)
			src, err := w.BuildBytes(dst[n:cap(dst):cap(dst)])
			return append(dst[:n], src...), err // copies nothing if src is in dst's memory
		},
		Marshal:   func(m *N) ([]byte, error) { return easyjson.Marshal(M(m)) },
		Unmarshal: func(src []byte, m *N) error { return easyjson.Unmarshal(src, M(m)) },
	}
}
