package native

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Raw are messages of a framework that carries them past its serializer. They
// have no bench message.
var Raw = Kind[framework.EchoMessage, struct{}]{
	Set: func(e *framework.EchoMessage, m framework.EchoMessage) { *e = m },
	Get: func(e *framework.EchoMessage) framework.EchoMessage { return *e },
}

// RawEcho is Echo where only bytes travel: call sends those of a request and
// returns fresh ones, and the action is taken to have come back.
func RawEcho(requests []framework.EchoMessage, check framework.EchoCheck, call func(ctx context.Context, worker int, req *framework.EchoMessage) ([]byte, error)) loadgen.Call {
	return func(ctx context.Context, worker int) error {
		req := &requests[worker]
		reply, err := call(ctx, worker, req)
		if err != nil {
			return err
		}
		return check(worker, framework.EchoMessage{Action: req.Action, Msg: reply})
	}
}

// RawMethods are the methods that take the place of actions where only bytes
// travel.
type RawMethods struct{ Echo, Fail string }

// Of is the method for an action.
func (m RawMethods) Of(action string) string {
	if action == framework.ActionFail {
		return m.Fail
	}
	return m.Echo
}
