// Package native handles the native messages of a framework on both sides, with the
// same code for all kinds of messages. An adapter adds how its framework makes a call.
// Kinds that several adapters use are in the packages below.
package native

import (
	"context"
	"errors"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Kind is one kind of messages; E and B are the types of its echo and bench
// messages.
type Kind[E, B any] struct {
	Set func(*E, framework.EchoMessage) // fills an empty message
	Get func(*E) framework.EchoMessage
	// Share makes an empty message the same as src without copying strings. Only
	// FillMessage needs it.
	Share    func(dst, src *B)
	Answer   func(*B) // sets field1 and field2 to the server's answer
	Answered func(*B) (field1 string, field2 int32)
}

// errMissing is returned for a call without its argument or result: Thrift's arguments
// and results are structs, in which a flipped bit can hide the message.
var errMissing = errors.New("the message is missing")

// Assign is Share for structs that may be copied.
func Assign[B any](dst, src *B) { *dst = *src }

// HandleEcho is the echo handler for frameworks whose handlers return the reply.
func (k Kind[E, B]) HandleEcho(req *E) (*E, error) {
	reply := new(E)
	if err := k.FillEcho(req, reply); err != nil {
		return nil, err
	}
	return reply, nil
}

// HandleMessage is the handler of the bench message for frameworks whose handlers
// return the reply. The reply is the request itself.
func (k Kind[E, B]) HandleMessage(req *B) (*B, error) {
	if req == nil {
		return nil, errMissing
	}
	k.Answer(req)
	framework.CountHandled()
	return req, nil
}

// FillEcho is the echo handler for frameworks that make the reply themselves.
func (k Kind[E, B]) FillEcho(req, reply *E) error {
	if req == nil {
		return errMissing
	}
	m := k.Get(req)
	msg, err := framework.HandleEcho(m.Action, m.Msg)
	if err != nil {
		return err
	}
	k.Set(reply, framework.EchoMessage{Action: m.Action, Msg: msg})
	return nil
}

// FillMessage is the handler of the bench message for frameworks that make the reply
// themselves. The reply shares its strings with the request, because a deep copy is
// work that handlers of other frameworks do not have. The error is always nil.
func (k Kind[E, B]) FillMessage(req, reply *B) error {
	k.Share(reply, req)
	k.Answer(reply)
	framework.CountHandled()
	return nil
}

// Echo implements framework.Client's method: it makes native messages of requests and
// returns a call that sends them with call, which returns a fresh reply.
func (k Kind[E, B]) Echo(requests []framework.EchoMessage, check framework.EchoCheck, call func(ctx context.Context, worker int, req *E) (*E, error)) loadgen.Call {
	natives := framework.NewNatives(requests, k.NewEcho)
	return func(ctx context.Context, worker int) error {
		reply, err := call(ctx, worker, natives.Of(worker))
		if err != nil {
			return err
		}
		if reply == nil {
			return errMissing
		}
		return check(worker, k.Get(reply))
	}
}

// Message is Echo for the bench message, see framework.MessageClient.
func (k Kind[E, B]) Message(workers int, check framework.MessageCheck, call func(ctx context.Context, worker int, req *B) (*B, error)) loadgen.Call {
	natives := framework.NewMessages[B](workers)
	return func(ctx context.Context, worker int) error {
		reply, err := call(ctx, worker, natives.Of(worker))
		if err != nil {
			return err
		}
		natives.Done(worker)
		if reply == nil {
			return errMissing
		}
		field1, field2 := k.Answered(reply)
		return check(worker, field1, field2, reply)
	}
}

// NewEcho makes a native message of m.
func (k Kind[E, B]) NewEcho(m framework.EchoMessage) *E {
	e := new(E)
	k.Set(e, m)
	return e
}
