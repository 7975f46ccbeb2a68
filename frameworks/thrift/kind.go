package thrift

import (
	"github.com/rpcbench/rpcbench/codecs/rpc/thrift/bench"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// kind handles the messages, which Thrift's compiler generated.
var kind = native.Kind[bench.EchoMessage, bench.BenchMessage, bench.BenchMessage]{
	Set: func(e *bench.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	Get: func(e *bench.EchoMessage) framework.EchoMessage {
		return framework.EchoMessage{Action: e.Action, Msg: e.Msg}
	},
	Method: native.Bench(
		func(b *bench.BenchMessage) { b.Field1, b.Field2 = message.AnswerField1, message.AnswerField2 },
		func(b *bench.BenchMessage) (string, int32) { return b.Field1, b.Field2 }, nil,
	),
}
