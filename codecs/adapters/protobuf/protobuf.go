// Package protobuf measures google.golang.org/protobuf.
package protobuf

import (
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/adapters/internal/pb"
	"github.com/rpcbench/rpcbench/codecs/adapters/internal/transfer"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "protobuf", About: "Protocol Buffers", Code: "protoc-gen-go, .proto", Module: "google.golang.org/protobuf",
		Bench:  suite.Of(codec[pb.BenchMessage]),
		Flat:   suite.Of(codec[pb.Flat]),
		Small:  suite.Of(codec[pb.Small]),
		Large:  suite.Of(codec[pb.Large]),
		Next:   suite.Of(codec[pb.Next]),
		Mapped: suite.Of(codec[pb.Mapped]),
	}
}

// message is a pointer to a generated struct.
type message[N any] interface {
	*N
	proto.Message
}

// Own is the line of a message of one's own. Without a Conversion an N is made of any
// message of Protocol Buffers with the same descriptor.
func Own[N any, M message[N]](c suite.Conversion[N]) suite.Entry {
	e := Entry()
	e.Own = transfer.Conversion(c).Of(codec[N, M])
	return e
}

func codec[N any, M message[N]]() suite.Serializer[N] {
	var options proto.MarshalOptions
	return suite.Serializer[N]{
		Append:    func(dst []byte, m *N) ([]byte, error) { return options.MarshalAppend(dst, M(m)) },
		Marshal:   func(m *N) ([]byte, error) { return proto.Marshal(M(m)) },
		Unmarshal: func(src []byte, m *N) error { return proto.Unmarshal(src, M(m)) },
		Reset:     func(m *N) { proto.Reset(M(m)) },
	}
}
