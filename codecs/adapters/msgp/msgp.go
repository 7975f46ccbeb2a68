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
		Bench:  suite.Of(codec[native.Bench]),
		Flat:   suite.Of(codec[native.Flat]),
		Small:  suite.Of(codec[native.Small]),
		Large:  suite.Of(codec[native.Large]),
		Next:   suite.Of(codec[native.Next]),
		Mapped: suite.Of(codec[native.Mapped]),
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
		Reset: suite.ResetOf[N](),
	}
}
