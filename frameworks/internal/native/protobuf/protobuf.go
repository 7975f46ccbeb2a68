// Package protobuf is the kind of messages that protobuf-go generates.
package protobuf

import (
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/rpc/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// The messages, see codecs/rpc/protobuf.
type (
	EchoMessage  = protobuf.EchoMessage
	BenchMessage = protobuf.BenchMessage
)

// Kind is what is done with them.
var Kind = native.Kind[EchoMessage, BenchMessage]{
	Set: func(e *EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	Get: func(e *EchoMessage) framework.EchoMessage {
		return framework.EchoMessage{Action: e.GetAction(), Msg: e.GetMsg()} // also of nil
	},
	Share: share,
	Answer: func(b *BenchMessage) {
		b.Field1, b.Field2 = proto.String(framework.AnswerField1), proto.Int32(framework.AnswerField2)
	},
	Answered: func(b *BenchMessage) (string, int32) { return b.GetField1(), b.GetField2() },
}
