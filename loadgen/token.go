package loadgen

import "sync/atomic"

// token is a lock that may be taken out of turn. Whoever holds it takes the
// next arrival and waits until that is due, so that at most one goroutine
// waits however many workers there are. Out of turn, because a worker that
// comes back from a call while the schedule is behind shall take the next
// arrival at once, without waking another. It parks on a channel, which makes
// it safe to hold across a sleep in fake time, where a sync.Mutex is not.
type token struct {
	held   atomic.Bool
	parked atomic.Int64 // workers in the slow path of lock
	wake   chan struct{}
}

func newToken() *token { return &token{wake: make(chan struct{}, 1)} }

// lock takes the token. It reports whether it had to wait, which makes every
// time read before it stale.
func (t *token) lock() (waited bool) {
	if t.held.CompareAndSwap(false, true) {
		return false
	}
	t.parked.Add(1)
	for !t.held.CompareAndSwap(false, true) {
		<-t.wake
	}
	t.parked.Add(-1)
	return true
}

// unlock gives the token back and wakes one parked worker. No wake-up is lost:
// a worker counts itself as parked before it tries once more and parks.
func (t *token) unlock() {
	t.held.Store(false)
	if t.parked.Load() > 0 {
		select {
		case t.wake <- struct{}{}:
		default: // one is already on its way
		}
	}
}
