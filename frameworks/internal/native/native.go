// Package native is the work of both sides with the messages of a framework,
// written once for all kinds of messages. An adapter adds how its framework makes
// a call. The kinds that several adapters send are in the packages below.
package native

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Kind is one kind of messages; E and B are the types of its echo and bench
// messages.
type Kind[E, B any] struct {
	Set func(*E, framework.EchoMessage) // makes an empty message that one
	Get func(*E) framework.EchoMessage
	// Share makes an empty message the same as src, without a copy of its
	// strings. FillMessage alone needs it.
	Share    func(dst, src *B)
	Answer   func(*B) // sets field1 and field2 as a server does
	Answered func(*B) (field1 string, field2 int32)
}

// Assign is the Share of structs that can be copied.
func Assign[B any](dst, src *B) { *dst = *src }

// HandleEcho is the echo handler of a framework that takes a reply.
func (k Kind[E, B]) HandleEcho(req *E) (*E, error) {
	reply := new(E)
	if err := k.FillEcho(req, reply); err != nil {
		return nil, err
	}
	return reply, nil
}

// ReturnEcho is HandleEcho that sends the request itself back.
func (k Kind[E, B]) ReturnEcho(req *E) (*E, error) {
	return req, framework.HandleEcho(k.Get(req).Action)
}

// HandleMessage is the bench message's handler of a framework that takes a
// reply: the request itself. Its error is nil.
func (k Kind[E, B]) HandleMessage(req *B) (*B, error) {
	k.Answer(req)
	return req, nil
}

// FillEcho is the echo handler of a framework that makes the reply itself.
func (k Kind[E, B]) FillEcho(req, reply *E) error {
	m := k.Get(req)
	if err := framework.HandleEcho(m.Action); err != nil {
		return err
	}
	k.Set(reply, m)
	return nil
}

// FillMessage is the bench message's handler of a framework that makes the
// reply itself. The reply shares strings with the request, and is not copied
// deeply, which others would not have to pay for. Its error is nil.
func (k Kind[E, B]) FillMessage(req, reply *B) error {
	k.Share(reply, req)
	k.Answer(reply)
	return nil
}

// Echo makes native messages of requests and returns the call that sends them
// by call, as framework.Client has it. call returns a fresh reply.
func (k Kind[E, B]) Echo(requests []framework.EchoMessage, check framework.EchoCheck, call func(ctx context.Context, worker int, req *E) (*E, error)) loadgen.Call {
	natives := k.requests(requests)
	return func(ctx context.Context, worker int) error {
		reply, err := call(ctx, worker, natives[worker])
		if err != nil {
			return err
		}
		return check(worker, k.Get(reply))
	}
}

// Message is Echo for the bench message, as framework.MessageClient has it.
func (k Kind[E, B]) Message(workers int, check framework.MessageCheck, call func(ctx context.Context, worker int, req *B) (*B, error)) loadgen.Call {
	natives := framework.Filled[B](workers)
	return func(ctx context.Context, worker int) error {
		reply, err := call(ctx, worker, natives[worker])
		if err != nil {
			return err
		}
		field1, field2 := k.Answered(reply)
		return check(worker, field1, field2, reply)
	}
}

func (k Kind[E, B]) requests(requests []framework.EchoMessage) []*E {
	natives := make([]*E, len(requests))
	for i, r := range requests {
		natives[i] = k.NewEcho(r)
	}
	return natives
}

// NewEcho makes a native message of m.
func (k Kind[E, B]) NewEcho(m framework.EchoMessage) *E {
	e := new(E)
	k.Set(e, m)
	return e
}
