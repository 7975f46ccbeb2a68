// Package native holds what adapters do with the messages of their frameworks:
// the work of both sides, written once for all kinds of messages. An adapter
// adds how its framework makes a call.
package native

import (
	"context"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/rpc/plain"
	"github.com/rpcbench/rpcbench/codecs/rpc/protobuf"
	"github.com/rpcbench/rpcbench/codecs/rpc/tars"
	"github.com/rpcbench/rpcbench/codecs/rpc/thrift"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Messages is one kind of messages; E and B are the types of its echo and
// bench messages.
type Messages[E, B any] struct {
	set      func(*E, framework.EchoMessage)
	get      func(*E) framework.EchoMessage
	share    func(dst, src *B)
	answer   func(*B)
	answered func(*B) (field1 string, field2 int32)
}

// Plain are Go structs without generated code.
var Plain = Messages[plain.EchoMessage, plain.BenchMessage]{
	set: func(e *plain.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	get: func(e *plain.EchoMessage) framework.EchoMessage {
		return framework.EchoMessage{Action: e.Action, Msg: e.Msg}
	},
	share: func(dst, src *plain.BenchMessage) { *dst = *src },
	answer: func(b *plain.BenchMessage) {
		b.Field1, b.Field2 = framework.AnswerField1, framework.AnswerField2
	},
	answered: func(b *plain.BenchMessage) (string, int32) { return b.Field1, b.Field2 },
}

// Protobuf are protobuf-go's messages.
var Protobuf = Messages[protobuf.EchoMessage, protobuf.BenchMessage]{
	set: func(e *protobuf.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	get: func(e *protobuf.EchoMessage) framework.EchoMessage {
		return framework.EchoMessage{Action: e.Action, Msg: e.Msg}
	},
	share: shareProtobuf,
	answer: func(b *protobuf.BenchMessage) {
		b.Field1, b.Field2 = proto.String(framework.AnswerField1), proto.Int32(framework.AnswerField2)
	},
	answered: func(b *protobuf.BenchMessage) (string, int32) { return b.GetField1(), b.GetField2() },
}

// Thrift are the messages of Apache Thrift's compiler.
var Thrift = Messages[thrift.EchoMessage, thrift.BenchMessage]{
	set: func(e *thrift.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	get: func(e *thrift.EchoMessage) framework.EchoMessage {
		return framework.EchoMessage{Action: e.Action, Msg: e.Msg}
	},
	share: func(dst, src *thrift.BenchMessage) { *dst = *src },
	answer: func(b *thrift.BenchMessage) {
		b.Field1, b.Field2 = framework.AnswerField1, framework.AnswerField2
	},
	answered: func(b *thrift.BenchMessage) (string, int32) { return b.Field1, b.Field2 },
}

// Tars are the messages of TarsGo's generator.
var Tars = Messages[tars.EchoMessage, tars.BenchMessage]{
	set: func(e *tars.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	get: func(e *tars.EchoMessage) framework.EchoMessage {
		return framework.EchoMessage{Action: e.Action, Msg: e.Msg}
	},
	share: func(dst, src *tars.BenchMessage) { *dst = *src },
	answer: func(b *tars.BenchMessage) {
		b.Field1, b.Field2 = framework.AnswerField1, framework.AnswerField2
	},
	answered: func(b *tars.BenchMessage) (string, int32) { return b.Field1, b.Field2 },
}

// HandleEcho is the echo handler of a framework that takes a reply.
func (k Messages[E, B]) HandleEcho(req *E) (*E, error) {
	reply := new(E)
	if err := k.FillEcho(req, reply); err != nil {
		return nil, err
	}
	return reply, nil
}

// HandleMessage is the bench message's handler of a framework that takes a
// reply: the request itself.
func (k Messages[E, B]) HandleMessage(req *B) *B {
	k.answer(req)
	return req
}

// FillEcho is the echo handler of a framework that makes the reply itself.
func (k Messages[E, B]) FillEcho(req, reply *E) error {
	m := k.get(req)
	if err := framework.HandleEcho(m.Action); err != nil {
		return err
	}
	k.set(reply, m)
	return nil
}

// FillMessage is the bench message's handler of a framework that makes the
// reply itself. The reply shares strings with the request, and is not copied
// deeply, which others would not have to pay for.
func (k Messages[E, B]) FillMessage(req, reply *B) {
	k.share(reply, req)
	k.answer(reply)
}

// Echo makes native messages of requests and returns the call that sends them
// by call, as framework.Client has it. call returns a fresh reply.
func (k Messages[E, B]) Echo(requests []framework.EchoMessage, check framework.EchoCheck, call func(ctx context.Context, worker int, req *E) (*E, error)) loadgen.Call {
	natives := k.requests(requests)
	return func(ctx context.Context, worker int) error {
		reply, err := call(ctx, worker, natives[worker])
		if err != nil {
			return err
		}
		return check(worker, k.get(reply))
	}
}

// Message is Echo for the bench message, as framework.MessageClient has it.
func (k Messages[E, B]) Message(workers int, check framework.MessageCheck, call func(ctx context.Context, worker int, req *B) (*B, error)) loadgen.Call {
	natives := framework.Filled[B](workers)
	return func(ctx context.Context, worker int) error {
		reply, err := call(ctx, worker, natives[worker])
		if err != nil {
			return err
		}
		field1, field2 := k.answered(reply)
		return check(worker, field1, field2, reply)
	}
}

func (k Messages[E, B]) requests(requests []framework.EchoMessage) []*E {
	natives := make([]*E, len(requests))
	for i, r := range requests {
		natives[i] = k.NewEcho(r)
	}
	return natives
}

// NewEcho makes a native message of m.
func (k Messages[E, B]) NewEcho(m framework.EchoMessage) *E {
	e := new(E)
	k.set(e, m)
	return e
}

// EchoOf is what a native message holds.
func (k Messages[E, B]) EchoOf(e *E) framework.EchoMessage { return k.get(e) }
