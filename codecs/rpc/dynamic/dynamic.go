// Package dynamic holds serializers that take any value, for frameworks that let users
// plug in a serializer: gob, JSON and msgpack for Go structs (codecs/rpc/plain), and
// protobuf and msgp for generated messages (codecs/rpc/protobuf, codecs/rpc/msgp).
package dynamic

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"

	"github.com/tinylib/msgp/msgp"
	"github.com/vmihailenco/msgpack/v5"
	"google.golang.org/protobuf/proto"
)

// Codec is a serializer. It has the methods that frameworks require.
type Codec struct {
	name, module string
	marshal      func(v any) ([]byte, error)
	unmarshal    func(data []byte, v any) error
}

// The serializers.
var (
	// Gob makes an encoder for each message, because frameworks pass one message at
	// a time. Each message then contains the description of its type, which both
	// sides compile again. On a gob stream, such as net/rpc's own, that is done
	// only once.
	Gob = Codec{"gob", "", marshalGob, unmarshalGob}
	// JSON is encoding/json.
	JSON = Codec{"json", "", json.Marshal, json.Unmarshal}
	// Msgpack is vmihailenco's, which rpcx uses too. It encodes structs as maps
	// with the names of the fields.
	Msgpack = Codec{"msgpack", "github.com/vmihailenco/msgpack/v5", msgpack.Marshal, msgpack.Unmarshal}
	// Msgp is tinylib's, with generated code for the same encoding.
	Msgp = Codec{"msgp", "github.com/tinylib/msgp", marshalMsgp, unmarshalMsgp}
	// Protobuf is protobuf-go.
	Protobuf = Codec{"protobuf", "google.golang.org/protobuf", marshalProtobuf, unmarshalProtobuf}
)

// Name is the serializer's key, as in codec=gob.
func (c Codec) Name() string { return c.name }

// Modules lists the serializer's module; nil for the standard library.
func (c Codec) Modules() []string {
	if c.module == "" {
		return nil
	}
	return []string{c.module}
}

// Marshal encodes v, a pointer to a message.
func (c Codec) Marshal(v any) ([]byte, error) { return c.marshal(v) }

// Unmarshal decodes data into v, a pointer to an empty message. v does not share
// memory with data.
func (c Codec) Unmarshal(data []byte, v any) error { return c.unmarshal(data, v) }

func marshalGob(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func unmarshalGob(data []byte, v any) error {
	return gob.NewDecoder(bytes.NewReader(data)).Decode(v)
}

func marshalMsgp(v any) ([]byte, error) {
	m, ok := v.(msgp.Marshaler)
	if !ok {
		return nil, fmt.Errorf("%T has no methods of msgp", v)
	}
	return m.MarshalMsg(nil)
}

func unmarshalMsgp(data []byte, v any) error {
	m, ok := v.(msgp.Unmarshaler)
	if !ok {
		return fmt.Errorf("%T has no methods of msgp", v)
	}
	_, err := m.UnmarshalMsg(data)
	return err
}

func marshalProtobuf(v any) ([]byte, error) {
	m, ok := v.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%T is no protobuf message", v)
	}
	return proto.Marshal(m)
}

func unmarshalProtobuf(data []byte, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return fmt.Errorf("%T is no protobuf message", v)
	}
	return proto.Unmarshal(data, m)
}
