package native

import (
	"context"
	"errors"
	"sync/atomic"
	"unsafe"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// ErrClosed is the error of calls that were under way when their client was closed.
var ErrClosed = errors.New("the client was closed")

// EchoAsync is Echo for an asynchronous API that itself ends a call with its context.
// start starts a call, and the API calls done once.
func (k Kind[E, Q, R]) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck, start func(ctx context.Context, worker int, req, reply *E, done func(error))) loadgen.AsyncCall {
	natives, judge := framework.NewNatives(requests, k.NewEcho), k.judge(check)
	return func(ctx context.Context, worker int, done func(error)) {
		reply := new(E)
		start(ctx, worker, natives.Of(worker), reply, func(err error) { done(judge(worker, reply, err)) })
	}
}

// judge returns a function that checks the reply of a call that has not failed. The
// closures of single calls hold this function, which is smaller than k.
func (k Kind[E, Q, R]) judge(check framework.EchoCheck) func(worker int, reply *E, err error) error {
	return func(worker int, reply *E, err error) error {
		if err != nil {
			return err
		}
		return check(worker, k.Get(reply))
	}
}

// Flights are the asynchronous echoes of a client's workers over an API without
// contexts. A worker has at most one call under way. It ends once, by its reply or by
// its context.
type Flights[E any] struct {
	natives *framework.Natives[*parcel[E]]
	current []atomic.Pointer[flight[E]]
	judge   func(worker int, reply *E, err error) error
}

// parcel is a request that knows its worker. The request comes first, so that a pointer to it
// is one to the parcel.
type parcel[E any] struct {
	request E
	worker  int
}

// workerOf returns the worker of a request that Start returned.
func workerOf[E any](request *E) int { return (*parcel[E])(unsafe.Pointer(request)).worker }

// flight is a call under way.
type flight[E any] struct {
	reply  *E
	done   func(error)
	forget func() bool // stops waiting for the end of the context; nil if that never ends
}

// Flights makes native messages of requests. check is called with the replies.
func (k Kind[E, Q, R]) Flights(requests []framework.EchoMessage, check framework.EchoCheck) *Flights[E] {
	return &Flights[E]{
		natives: framework.NewNatives(requests, func(m framework.EchoMessage) *parcel[E] {
			p := new(parcel[E])
			k.Set(&p.request, m)
			return p
		}),
		current: make([]atomic.Pointer[flight[E]], len(requests)),
		judge:   k.judge(check),
	}
}

// Start begins a call of a worker, whose previous call must have ended, and returns
// the worker's request and a fresh reply. If ctx ends before End is called, Start has
// done called with the context's error.
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
	p := f.natives.Of(worker)
	if p.worker != worker { // it is a new one
		p.worker = worker
	}
	return &p.request, call.reply
}

// End ends the call of a worker that has this reply, and calls done with err or with
// the result of the check. It does nothing if the call has ended before.
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

// Landed is a reply, or an error, that came by a channel. Request and Reply are those
// that Start returned.
type Landed[E any] struct {
	Request, Reply *E
	Err            error
}

// Land ends calls as their replies come by the channel; result reads a reply. When
// closed is closed it abandons the other calls and returns.
func Land[E, R any](f *Flights[E], replies <-chan R, result func(R) Landed[E], closed <-chan struct{}) {
	for {
		select {
		case r := <-replies:
			l := result(r)
			f.End(workerOf(l.Request), l.Reply, l.Err)
		case <-closed:
			f.Abandon()
			return
		}
	}
}
