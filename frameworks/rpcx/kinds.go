package rpcx

import (
	"github.com/smallnest/rpcx/protocol"
	"github.com/smallnest/rpcx/server"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/codecs/rpc/thrift"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/msgp"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

func kindOf[E, Q, R any](s serializer, number protocol.SerializeType, k native.Kind[E, Q, R]) kind {
	return kind{
		name: s.Name(), modules: s.Modules(), sent: k.Sent,
		serialize: number,
		register:  func(s *server.Server, handlers bool) error { return register(s, k, handlers) },
		hello:     func() (req, reply any) { return new(E), new(E) },
		client:    func(c *connections) framework.Client { return &client[E, Q, R]{c, k} },
	}
}

var (
	protobufKind = kindOf(dynamic.Protobuf, protocol.ProtoBuffer, protobuf.Kind)
	rawKind      = kind{
		name: "raw", carries: framework.Bytes, about: "; []byte with SerializeNone",
		serialize: protocol.SerializeNone,
		register:  func(s *server.Server, _ bool) error { return s.RegisterName(servicePath, new(RawBencher), "") },
		hello:     func() (req, reply any) { return new([]byte), new([]byte) },
		client:    func(c *connections) framework.Client { return &rawClient{c} },
	}
)

func gobKind() kind {
	k := kindOf(dynamic.Gob, serializeGob, plain.Kind)
	k.about = "; RegisterCodec adds gob, with a new encoder for each message"
	return k
}

func msgpKind() kind {
	k := kindOf(dynamic.Msgp, protocol.MsgPack, msgp.Kind)
	k.about = "; rpcx's codec for MsgPack calls the methods that msgp generates"
	return k
}

func thriftKind() kind {
	k := kindOf(apacheThrift{}, protocol.Thrift, thrifts)
	k.largest = maxThrift
	return k
}

// serializer names a serializer and its modules.
type serializer interface {
	Name() string
	Modules() []string
}

// apacheThrift is rpcx's serializer for protocol.Thrift.
type apacheThrift struct{}

func (apacheThrift) Name() string { return "thrift" }

func (apacheThrift) Modules() []string { return []string{"github.com/apache/thrift"} }

// maxThrift is the largest echo payload in bytes over thrift. rpcx does not lift
// thrift's limit of 100 MiB for a message.
const maxThrift = 64 << 20

// thrifts handles the messages of Apache Thrift's compiler.
var thrifts = native.Kind[thrift.EchoMessage, thrift.BenchMessage, thrift.BenchMessage]{
	Set: func(e *thrift.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	Get: func(e *thrift.EchoMessage) framework.EchoMessage {
		return framework.EchoMessage{Action: e.Action, Msg: e.Msg}
	},
	Method: native.Bench(
		func(b *thrift.BenchMessage) { b.Field1, b.Field2 = message.AnswerField1, message.AnswerField2 },
		func(b *thrift.BenchMessage) (string, int32) { return b.Field1, b.Field2 },
		native.Assign[thrift.BenchMessage],
	),
}
