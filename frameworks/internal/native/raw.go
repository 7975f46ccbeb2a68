package native

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Raw is the kind of bytes that a framework sends without its serializer. It has no
// bench message.
var Raw = Kind[framework.EchoMessage, struct{}, struct{}]{
	Set: func(e *framework.EchoMessage, m framework.EchoMessage) { *e = m },
	Get: func(e *framework.EchoMessage) framework.EchoMessage { return *e },
}

// RawEcho is Echo for frameworks that send only bytes. call sends those of a request
// and returns those of the reply, in fresh memory. The reply passed to check has the
// action of the request.
func RawEcho(requests []framework.EchoMessage, check framework.EchoCheck, call func(ctx context.Context, worker int, req *framework.EchoMessage) ([]byte, error)) loadgen.Call {
	natives := framework.NewNatives(requests, func(m framework.EchoMessage) *framework.EchoMessage { return &m })
	return func(ctx context.Context, worker int) error {
		req := natives.Of(worker)
		reply, err := call(ctx, worker, req)
		if err != nil {
			return err
		}
		return check(worker, framework.EchoMessage{Action: req.Action, Msg: reply})
	}
}

// RawMethods are the methods that replace actions if only bytes are sent.
type RawMethods struct{ Echo, Fail string }

// Of returns the method for an action.
func (m RawMethods) Of(action string) string {
	if action == handler.ActionFail {
		return m.Fail
	}
	return m.Echo
}
