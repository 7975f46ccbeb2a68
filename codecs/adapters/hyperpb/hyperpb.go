//go:build amd64 || arm64

package hyperpb

import (
	"sync"

	"buf.build/go/hyperpb"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/rpcbench/rpcbench/codecs/adapters/internal/pb"
	"github.com/rpcbench/rpcbench/codecs/adapters/internal/reflection"
	"github.com/rpcbench/rpcbench/codecs/adapters/internal/transfer"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Entries are the lines of the table.
func Entries() []suite.Entry {
	return []suite.Entry{{
		Codec: "hyperpb", About: "Protocol Buffers, decodes alone; on amd64 and arm64",
		Code: "reflection over .proto, compiled when first used", Module: "buf.build/go/hyperpb",
		Bench:  suite.Of(codec[pb.BenchMessage]()),
		Flat:   suite.Of(codec[pb.Flat]()),
		Small:  suite.Of(codec[pb.Small]()),
		Large:  suite.Of(codec[pb.Large]()),
		Next:   suite.Of(codec[pb.Next]()),
		Mapped: suite.Of(codec[pb.Mapped]()),
	}}
}

// Own is the line of a message of one's own, for which T is the struct of
// google.golang.org/protobuf.
func Own[T any, M message[T]]() suite.Entry {
	e := Entries()[0]
	c := suite.Conversion[native]{Read: func(message any, m *native) error {
		src, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m.Message)
		if err != nil {
			return err
		}
		return proto.UnmarshalOptions{AllowPartial: true}.Unmarshal(src, M(message.(*T)))
	}}
	e.Own = c.Of(codec[T, M]())
	return e
}

// native is a message in memory that it shares with the messages in it. That memory
// is used again by the next one.
type native struct {
	shared hyperpb.Shared
	*hyperpb.Message
}

// message is a pointer to a generated struct, which input is encoded from.
type message[G any] interface {
	*G
	proto.Message
}

func codec[G any, M message[G]]() func() suite.Serializer[native] {
	compiled := sync.OnceValue(func() *hyperpb.MessageType {
		return hyperpb.CompileMessageDescriptor(M(nil).ProtoReflect().Descriptor())
	})
	return func() suite.Serializer[native] {
		kind := compiled()
		return suite.Serializer[native]{
			Input: func(message any) ([]byte, error) {
				from := M(new(G))
				if err := transfer.Copy(from, message); err != nil {
					return nil, err
				}
				return proto.Marshal(from)
			},
			Unmarshal: func(src []byte, m *native) error {
				m.Message = m.shared.NewMessage(kind)
				return proto.Unmarshal(src, m.Message)
			},
			Reset: func(m *native) {
				if m.Message != nil { // freeing what was never used panics
					m.shared.Free()
				}
			},
			Touch: func(m *native) uint64 { return touch(m.Message) },
			Read:  func(message any, m *native) error { return reflection.Get(message, m.Message) },
		}
	}
}

// touch reads every field by reflection, since there is no other way to read one. A message
// that is absent is not read, since one in it may be of the same type.
func touch(m protoreflect.Message) (sum uint64) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		value := m.Get(field)
		switch {
		case field.IsMap():
			value.Map().Range(func(key protoreflect.MapKey, value protoreflect.Value) bool {
				sum += uint64(len(key.String())) + touchValue(field.MapValue().Kind(), value)
				return true
			})
		case field.IsList():
			list := value.List()
			for j := range list.Len() {
				sum += touchValue(field.Kind(), list.Get(j))
			}
		case field.Message() == nil || value.Message().IsValid():
			sum += touchValue(field.Kind(), value)
		}
	}
	return sum
}

func touchValue(kind protoreflect.Kind, v protoreflect.Value) uint64 {
	switch kind {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return touch(v.Message())
	case protoreflect.StringKind:
		return uint64(len(v.String()))
	case protoreflect.BytesKind:
		return uint64(len(v.Bytes()))
	case protoreflect.DoubleKind, protoreflect.FloatKind:
		return uint64(v.Float())
	case protoreflect.Fixed64Kind, protoreflect.Fixed32Kind, protoreflect.Uint64Kind, protoreflect.Uint32Kind:
		return v.Uint()
	case protoreflect.EnumKind:
		return uint64(v.Enum())
	case protoreflect.BoolKind:
		if v.Bool() {
			return 1
		}
		return 0
	}
	return uint64(v.Int())
}
