// Package dynamic holds the serializers that are given any value, as what
// frameworks let their users plug in: gob, JSON and msgpack for Go structs
// (those of codecs/rpc/plain), protobuf for generated messages (those of
// codecs/rpc/protobuf).
package dynamic

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"

	"github.com/vmihailenco/msgpack/v5"
	"google.golang.org/protobuf/proto"
)

// Codec is a serializer. It has the methods that frameworks ask for.
type Codec struct {
	name, module string
	marshal      func(v any) ([]byte, error)
	unmarshal    func(data []byte, v any) error
}

// The serializers.
var (
	// Gob makes an encoder for each message, since frameworks hand over one
	// message at a time. Each message then brings the description of its type
	// along, and both sides compile it anew; on a stream of its own, as net/rpc
	// has it, that is done once.
	Gob = Codec{"gob", "", marshalGob, unmarshalGob}
	// JSON is encoding/json.
	JSON = Codec{"json", "", json.Marshal, json.Unmarshal}
	// Msgpack is vmihailenco's, which rpcx uses too; structs are maps by the
	// names of their fields.
	Msgpack = Codec{"msgpack", "github.com/vmihailenco/msgpack/v5", msgpack.Marshal, msgpack.Unmarshal}
	// Protobuf is protobuf-go.
	Protobuf = Codec{"protobuf", "google.golang.org/protobuf", marshalProtobuf, unmarshalProtobuf}
)

// Name is the serializer's key, as in codec=gob.
func (c Codec) Name() string { return c.name }

// Modules lists the module that serializes, if it is none of the standard
// library's packages.
func (c Codec) Modules() []string {
	if c.module == "" {
		return nil
	}
	return []string{c.module}
}

// Marshal encodes v, a pointer to a message.
func (c Codec) Marshal(v any) ([]byte, error) { return c.marshal(v) }

// Unmarshal decodes data into v, a pointer to an empty message, which keeps
// nothing of data.
func (c Codec) Unmarshal(data []byte, v any) error { return c.unmarshal(data, v) }

func marshalGob(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func unmarshalGob(data []byte, v any) error {
	return gob.NewDecoder(bytes.NewReader(data)).Decode(v)
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
