// Package msgp measures tinylib/msgp.
package msgp

import (
	"github.com/tinylib/msgp/msgp"

	"github.com/rpcbench/rpcbench/codecs/adapters/msgp/native"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "msgp", About: "MessagePack, maps by field name", Code: "msgp, Go structs", Module: "github.com/tinylib/msgp",
		Bench:  suite.OfReset(codec[native.Bench]),
		Flat:   suite.OfReset(codec[native.Flat]),
		Small:  suite.OfReset(codec[native.Small]),
		Large:  suite.OfReset(codec[native.Large]),
		Next:   suite.OfReset(codec[native.Next]),
		Mapped: suite.OfReset(codec[native.Mapped]),
		Hazard: suite.Kills, // it allocates lists of whatever length the input states
	}
}

// message is a pointer to a struct with generated methods.
type message[N any] interface {
	*N
	msgp.Marshaler
	msgp.Unmarshaler
}

// Own is the line of a message of one's own, in a struct with generated methods.
func Own[N any, M message[N]](c suite.Conversion[N]) suite.Entry {
	e := Entry()
	e.Own = c.Of(codec[N, M])
	return e
}

func codec[N any, M message[N]]() suite.Serializer[N] {
	return suite.Serializer[N]{
		Append: func(dst []byte, m *N) ([]byte, error) { return M(m).MarshalMsg(dst) },
		Unmarshal: func(src []byte, m *N) error {
			_, err := M(m).UnmarshalMsg(src)
			return err
		},
	}
}
