package native

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// ErrClosed ends the calls that were under way when their client was closed.
var ErrClosed = errors.New("the client was closed")

// EchoAsync is Echo for an API that itself ends a call by its context: start
// starts one, and has done called once.
func (k Kind[E, B]) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck, start func(ctx context.Context, worker int, req, reply *E, done func(error))) loadgen.AsyncCall {
	natives, judge := k.requests(requests), k.judge(check)
	return func(ctx context.Context, worker int, done func(error)) {
		reply := new(E)
		start(ctx, worker, natives[worker], reply, func(err error) { done(judge(worker, reply, err)) })
	}
}

// judge is check of a call that may have failed. Closures of single calls have it
// instead of all of k.
func (k Kind[E, B]) judge(check framework.EchoCheck) func(worker int, reply *E, err error) error {
	return func(worker int, reply *E, err error) error {
		if err != nil {
			return err
		}
		return check(worker, k.Get(reply))
	}
}

// Flights are the asynchronous echoes of a client's workers over an API without
// contexts. A worker has one under way at most, which ends once: by its reply or
// by its context.
type Flights[E any] struct {
	natives []*E
	workers map[*E]int // by their requests
	current []atomic.Pointer[flight[E]]
	judge   func(worker int, reply *E, err error) error
}

// flight is a call under way.
type flight[E any] struct {
	reply  *E
	done   func(error)
	forget func() bool // the context; nil for one that does not end
}

// Flights makes native messages of requests. Replies are handed to check.
func (k Kind[E, B]) Flights(requests []framework.EchoMessage, check framework.EchoCheck) *Flights[E] {
	f := &Flights[E]{
		natives: k.requests(requests),
		workers: make(map[*E]int, len(requests)),
		current: make([]atomic.Pointer[flight[E]], len(requests)),
		judge:   k.judge(check),
	}
	for worker, native := range f.natives {
		f.workers[native] = worker
	}
	return f
}

// Start enters a call of a worker that has none under way, and returns its
// request and a fresh reply for it. When ctx ends before End is called, the
// call is done with its error.
func (f *Flights[E]) Start(ctx context.Context, worker int, done func(error)) (req, reply *E) {
	call := &flight[E]{reply: new(E), done: done}
	f.current[worker].Store(call)
	if ctx.Done() != nil {
		call.forget = context.AfterFunc(ctx, func() {
			if f.current[worker].CompareAndSwap(call, nil) {
				done(ctx.Err())
			}
		})
	}
	return f.natives[worker], call.reply
}

// End ends the call of a worker that was given reply: it is done with err or
// with the check's result. It does nothing when that call has ended before.
func (f *Flights[E]) End(worker int, reply *E, err error) {
	call := f.current[worker].Load()
	if call == nil || call.reply != reply || !f.current[worker].CompareAndSwap(call, nil) {
		return
	}
	if call.forget != nil {
		call.forget()
	}
	call.done(f.judge(worker, reply, err))
}

// Abandon ends all calls under way with ErrClosed.
func (f *Flights[E]) Abandon() {
	for worker := range f.current {
		if call := f.current[worker].Load(); call != nil {
			f.End(worker, call.reply, ErrClosed)
		}
	}
}

// Landed is a reply that came by a channel, or the error in its place, to a
// request of Start's.
type Landed[E any] struct {
	Request, Reply *E
	Err            error
}

// Land ends the calls whose replies come by replies, as result reads them. When
// the client is closed it abandons the others and returns.
func Land[E, R any](f *Flights[E], replies <-chan R, result func(R) Landed[E], closed <-chan struct{}) {
	for {
		select {
		case r := <-replies:
			l := result(r)
			f.End(f.workers[l.Request], l.Reply, l.Err)
		case <-closed:
			f.Abandon()
			return
		}
	}
}
