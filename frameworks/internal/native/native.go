// Package native handles the native messages of a framework on both sides, with the
// same code for all kinds of messages. An adapter adds how its framework makes a call.
// Kinds that several adapters use are in the packages below.
package native

import (
	"context"
	"errors"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Kind is one kind of messages. E is the type of its echo messages, and Q and R are the types
// of the requests and replies of Message.
type Kind[E, Q, R any] struct {
	Set func(*E, framework.EchoMessage) // fills an empty message
	Get func(*E) framework.EchoMessage
	Method[Q, R]
}

// errMissing is returned for a call without its argument or result: Thrift's arguments
// and results are structs, in which a flipped bit can hide the message.
var errMissing = errors.New("the message is missing")

// HandleEcho is the echo handler for frameworks whose handlers return the reply.
func (k Kind[E, Q, R]) HandleEcho(req *E) (*E, error) {
	reply := new(E)
	if err := k.FillEcho(req, reply); err != nil {
		return nil, err
	}
	return reply, nil
}

// FillEcho is the echo handler for frameworks that make the reply themselves.
func (k Kind[E, Q, R]) FillEcho(req, reply *E) error {
	if req == nil {
		return errMissing
	}
	m := k.Get(req)
	msg, err := handler.Echo(m.Action, m.Msg)
	if err != nil {
		return err
	}
	k.Set(reply, framework.EchoMessage{Action: m.Action, Msg: msg})
	return nil
}

// Echo implements framework.Client's method: it makes native messages of requests and
// returns a call that sends them with call, which returns a fresh reply.
func (k Kind[E, Q, R]) Echo(requests []framework.EchoMessage, check framework.EchoCheck, call func(ctx context.Context, worker int, req *E) (*E, error)) loadgen.Call {
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

// NewEcho makes a native message of m.
func (k Kind[E, Q, R]) NewEcho(m framework.EchoMessage) *E {
	e := new(E)
	k.Set(e, m)
	return e
}
