package native

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Method is the method Message of both sides. Bench makes that of the bench message, and
// Exchanged that of other messages.
type Method[Q, R any] struct {
	// Handle makes the reply, which may be the request itself.
	Handle func(*Q) *R
	// Fill makes a reply that the framework has made, and is empty. It shares its strings
	// with the request, because a deep copy is work that handlers of other frameworks do
	// not have. nil: no framework of this Kind needs it.
	Fill func(req *Q, reply *R)
	// Requests makes the native requests of workers.
	Requests func(workers int) *message.Requests[*Q]
	// Judge has check judge a reply.
	Judge func(check framework.MessageCheck, worker int, reply *R) error
	// Sent describes the messages; nil: they are the bench message.
	Sent *message.Sent
}

// Bench is the method of the bench message. answer sets field1 and field2 to the server's
// answer, answered reads them, and share makes an empty message the same as src without
// copying strings; nil: Fill is not needed.
func Bench[B any](answer func(*B), answered func(*B) (field1 string, field2 int32), share func(dst, src *B)) Method[B, B] {
	return Method[B, B]{
		Handle: func(req *B) *B {
			answer(req)
			return req
		},
		Fill: func(req, reply *B) {
			share(reply, req)
			answer(reply)
		},
		Requests: message.NewRequests[B],
		Judge: func(check framework.MessageCheck, worker int, reply *B) error {
			field1, field2 := answered(reply)
			return check(worker, field1, field2, reply)
		},
	}
}

// Assign is what shares structs that may be copied, see Bench.
func Assign[B any](dst, src *B) { *dst = *src }

// Exchanged is the method of other messages than the bench message.
func Exchanged[Q, R any](x message.Exchange[Q, R]) Method[Q, R] {
	return Method[Q, R]{
		Handle: x.Handle, Fill: x.Fill, Requests: x.NewRequests, Sent: x.Sent(),
		Judge: func(check framework.MessageCheck, worker int, reply *R) error { return check(worker, "", 0, reply) },
	}
}

// HandleMessage is the handler of Message for frameworks whose handlers return the reply.
func (m Method[Q, R]) HandleMessage(req *Q) (*R, error) {
	if req == nil {
		return nil, errMissing
	}
	reply := m.Handle(req)
	count.Call()
	return reply, nil
}

// FillMessage is the handler of Message for frameworks that make the reply themselves. The
// error is always nil.
func (m Method[Q, R]) FillMessage(req *Q, reply *R) error {
	m.Fill(req, reply)
	count.Call()
	return nil
}

// Message implements framework.MessageClient's method: it makes native requests and returns
// a call that sends them with call, which returns a fresh reply.
func (m Method[Q, R]) Message(workers int, check framework.MessageCheck, call func(ctx context.Context, worker int, req *Q) (*R, error)) loadgen.Call {
	natives := m.Requests(workers)
	return func(ctx context.Context, worker int) error {
		reply, err := call(ctx, worker, natives.Of(worker))
		if err != nil {
			return err
		}
		natives.Done(worker)
		if reply == nil {
			return errMissing
		}
		return m.Judge(check, worker, reply)
	}
}
