package dubbo

import (
	"context"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/dubbo/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// kind is one kind of messages, with the handlers for them.
type kind[E, B any] struct {
	set      func(*E, framework.EchoMessage)
	get      func(*E) framework.EchoMessage
	answer   func(*B)
	answered func(*B) (field1 string, field2 int32)
}

var pojos = kind[EchoMessage, BenchMessage]{
	set:      func(e *EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	get:      func(e *EchoMessage) framework.EchoMessage { return framework.EchoMessage{Action: e.Action, Msg: e.Msg} },
	answer:   func(b *BenchMessage) { b.Field1, b.Field2 = message.AnswerField1, message.AnswerField2 },
	answered: func(b *BenchMessage) (string, int32) { return b.Field1, b.Field2 },
}

var protobufs = kind[pb.EchoMessage, pb.BenchMessage]{
	set: func(e *pb.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	get: func(e *pb.EchoMessage) framework.EchoMessage {
		return framework.EchoMessage{Action: e.Action, Msg: e.Msg}
	},
	answer: func(b *pb.BenchMessage) {
		b.Field1, b.Field2 = proto.String(message.AnswerField1), proto.Int32(message.AnswerField2)
	},
	answered: func(b *pb.BenchMessage) (string, int32) { return b.GetField1(), b.GetField2() },
}

// newEcho makes a native message of m.
func (k kind[E, B]) newEcho(m framework.EchoMessage) *E {
	e := new(E)
	k.set(e, m)
	return e
}

func (k kind[E, B]) handleEcho(req *E) (*E, error) {
	m := k.get(req)
	reply, err := handler.Echo(m.Action, m.Msg)
	if err != nil {
		return nil, err
	}
	return k.newEcho(framework.EchoMessage{Action: m.Action, Msg: reply}), nil
}

func (k kind[E, B]) handleMessage(req *B) (*B, error) {
	k.answer(req)
	return req, nil
}

// Bencher is the service. It is exported because dubbo-go requires it.
type Bencher[E, B any] struct{ kind kind[E, B] }

// Reference implements common.ReferencedRPCService.
func (*Bencher[E, B]) Reference() string { return service }

// Echo sends the request back.
func (b *Bencher[E, B]) Echo(_ context.Context, req *E) (*E, error) { return b.kind.handleEcho(req) }

// Message answers the bench message.
func (b *Bencher[E, B]) Message(_ context.Context, req *B) (*B, error) {
	return b.kind.handleMessage(req)
}
