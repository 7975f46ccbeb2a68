// Package sending ends calls with their contexts for frameworks that look at no context
// while they send a request. A server that no longer reads would hold them up for ever.
package sending

import (
	"context"
	"sync/atomic"
	"time"
)

// patience is how long sending a request may go on after its context has ended.
const patience = 100 * time.Millisecond

// Guard closes a connection on which a request is sent for too long. One request is sent
// at a time.
type Guard struct {
	Close func()        // the connection
	sends atomic.Uint64 // odd while a request is being sent
}

// Begin says that a request is being sent now.
func (g *Guard) Begin() { g.sends.Add(1) }

// End says that the request has been sent.
func (g *Guard) End() { g.sends.Add(1) }

// giveUp closes the connection if the same request is still being sent after patience.
func (g *Guard) giveUp() {
	n := g.sends.Load()
	if n%2 == 0 {
		return
	}
	time.Sleep(patience)
	if g.sends.Load() == n {
		g.Close()
	}
}

// Watch watches the context of the calls of one worker.
type Watch struct {
	done    <-chan struct{} // identifies the context
	unwatch func() bool
}

// Over has the guard give up when ctx ends. It costs next to nothing for the context of
// the previous call and for a context that cannot end. Contexts are compared by their
// channels, since a context itself may not be comparable.
func (w *Watch) Over(ctx context.Context, g *Guard) {
	if ctx.Done() == w.done {
		return
	}
	if w.unwatch != nil {
		w.unwatch()
	}
	w.done, w.unwatch = ctx.Done(), nil
	if w.done != nil {
		w.unwatch = context.AfterFunc(ctx, g.giveUp)
	}
}

// Leaving returns when the call has ended or its context has. It may leave the call behind.
func Leaving[R any](ctx context.Context, call func() (R, error)) (R, error) {
	type result struct {
		reply R
		err   error
	}
	done := make(chan result, 1)
	go func() {
		reply, err := call()
		done <- result{reply, err}
	}()
	select {
	case r := <-done:
		return r.reply, r.err
	case <-ctx.Done():
		var none R
		return none, ctx.Err()
	}
}
