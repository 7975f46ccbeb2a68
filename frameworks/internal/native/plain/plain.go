// Package plain is the native.Kind of messages that are Go structs without generated
// code.
package plain

import (
	"github.com/rpcbench/rpcbench/codecs/rpc/plain"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// The messages, see codecs/rpc/plain.
type (
	EchoMessage  = plain.EchoMessage
	BenchMessage = plain.BenchMessage
)

// Kind handles them.
var Kind = native.Kind[EchoMessage, BenchMessage, BenchMessage]{
	Set: func(e *EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	Get: func(e *EchoMessage) framework.EchoMessage { return framework.EchoMessage{Action: e.Action, Msg: e.Msg} },
	Method: native.Bench(
		func(b *BenchMessage) { b.Field1, b.Field2 = message.AnswerField1, message.AnswerField2 },
		func(b *BenchMessage) (string, int32) { return b.Field1, b.Field2 },
		native.Assign[BenchMessage],
	),
}
