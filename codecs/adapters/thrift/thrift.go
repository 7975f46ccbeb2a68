// Package thrift measures Apache Thrift with its binary and compact protocols.
package thrift

import (
	"bytes"
	"context"

	"github.com/apache/thrift/lib/go/thrift"
	native "github.com/rpcbench/rpcbench/codecs/adapters/internal/thrift"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Binary is the binary protocol.
func Binary() suite.Entry {
	return suite.Entry{
		Codec: "thrift_binary", About: "Apache Thrift binary", Code: "thrift, .thrift", Module: "github.com/apache/thrift",
		Bench:  suite.Of(binary[native.Bench]),
		Flat:   suite.Of(binary[native.Flat]),
		Small:  suite.Of(binary[native.Small]),
		Large:  suite.Of(binary[native.Large]),
		Next:   suite.Of(binary[native.Next]),
		Mapped: suite.Of(binary[native.Mapped]),
	}
}

// Compact is the compact protocol.
func Compact() suite.Entry {
	return suite.Entry{
		Codec: "thrift_compact", About: "Apache Thrift compact", Code: "thrift, .thrift", Module: "github.com/apache/thrift",
		Bench:  suite.Of(compact[native.Bench]),
		Flat:   suite.Of(compact[native.Flat]),
		Small:  suite.Of(compact[native.Small]),
		Large:  suite.Of(compact[native.Large]),
		Next:   suite.Of(compact[native.Next]),
		Mapped: suite.Of(compact[native.Mapped]),
	}
}

// message is a pointer to a generated struct.
type message[N any] interface {
	*N
	thrift.TStruct
}

func binary[N any, M message[N]]() suite.Serializer[N] {
	return codec[N, M](thrift.NewTBinaryProtocolFactoryConf(nil))
}

func compact[N any, M message[N]]() suite.Serializer[N] {
	return codec[N, M](thrift.NewTCompactProtocolFactoryConf(nil))
}

// codec reuses a serializer and a deserializer, as their users do.
func codec[N any, M message[N]](protocols thrift.TProtocolFactory) suite.Serializer[N] {
	ctx := context.Background()
	out := thrift.NewTMemoryBuffer()
	protocol := protocols.GetProtocol(out)
	serializer, deserializer := newSerializer(protocols), newDeserializer(protocols)
	return suite.Serializer[N]{
		Append: func(dst []byte, m *N) ([]byte, error) {
			*out.Buffer = *bytes.NewBuffer(dst)
			err := M(m).Write(ctx, protocol)
			return out.Bytes(), err
		},
		Marshal:   func(m *N) ([]byte, error) { return serializer.Write(ctx, M(m)) },
		Unmarshal: func(src []byte, m *N) error { return deserializer.Read(ctx, M(m), src) },
	}
}

func newSerializer(protocols thrift.TProtocolFactory) *thrift.TSerializer {
	memory := thrift.NewTMemoryBufferLen(1024)
	return &thrift.TSerializer{Transport: memory, Protocol: protocols.GetProtocol(memory)}
}

func newDeserializer(protocols thrift.TProtocolFactory) *thrift.TDeserializer {
	memory := thrift.NewTMemoryBufferLen(1024)
	return &thrift.TDeserializer{Transport: memory, Protocol: protocols.GetProtocol(memory)}
}
