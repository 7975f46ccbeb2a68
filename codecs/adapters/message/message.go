// Package message takes messages of one's own, of Protocol Buffers, into the suite.
package message

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/suite"
)

// pointer is a pointer to a generated struct.
type pointer[T any] interface {
	*T
	proto.Message
}

// Sample is a list of messages for suite.Config, from their encodings, each after its length
// as a varint. name is their msg=. It panics if the encodings are not
// messages T: they are embedded in the program.
func Sample[T any, M pointer[T]](name string, encoded []byte) suite.Sample {
	var list []*T
	for len(encoded) > 0 {
		data, n := protowire.ConsumeBytes(encoded)
		m := M(new(T))
		if err := errors.Join(protowire.ParseError(n), proto.Unmarshal(data, m)); err != nil {
			panic(fmt.Errorf("message %d of %s: %w", len(list), name, err))
		}
		list, encoded = append(list, m), encoded[n:]
	}
	return suite.Messages(name, list, Comparison[T, M]())
}

// Comparison compares messages as the library does: nil and empty lists are equal, NaN equals
// NaN, and unknown fields count.
func Comparison[T any, M pointer[T]]() suite.Comparison[T] {
	return suite.Comparison[T]{Equal: func(got, want *T) bool { return proto.Equal(M(got), M(want)) }}
}

// Encoded converts to structs N that another generator has made from the same schema, by way
// of their encoding.
func Encoded[N any](marshal func(*N) ([]byte, error), unmarshal func([]byte, *N) error) suite.Conversion[N] {
	return suite.Conversion[N]{
		Build: func(m *N, message any) error {
			data, err := proto.Marshal(message.(proto.Message))
			if err != nil {
				return err
			}
			return unmarshal(data, m)
		},
		Read: func(message any, m *N) error {
			data, err := marshal(m)
			if err != nil {
				return err
			}
			return proto.Unmarshal(data, message.(proto.Message))
		},
	}
}

// Refused is the entry of a serializer that cannot take the messages, with the reason.
func Refused(codec, mode, reason string) suite.Entry {
	return suite.Entry{Codec: codec, Mode: mode, Refuses: reason}
}
