package tars

import (
	messages "github.com/rpcbench/rpcbench/codecs/rpc/tars"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// kind handles the messages.
var kind = native.Kind[messages.EchoMessage, messages.BenchMessage, messages.BenchMessage]{
	Set: func(e *messages.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	Get: func(e *messages.EchoMessage) framework.EchoMessage {
		return framework.EchoMessage{Action: e.Action, Msg: e.Msg}
	},
	Method: native.Bench(
		func(b *messages.BenchMessage) {
			b.Field1, b.Field2 = message.AnswerField1, message.AnswerField2
		},
		func(b *messages.BenchMessage) (string, int32) { return b.Field1, b.Field2 }, nil,
	),
}
