package loadgen

import (
	"runtime"
	"sync/atomic"
	"time"
)

// token is a lock that may be taken out of turn. Its holder takes the next arrival
// and waits until that is due, so that at most one goroutine waits however many
// workers there are. It may be taken out of turn because a worker that comes back
// from a call while the schedule is behind is to take the next arrival at once,
// without waking another. Workers park on a channel: in fake time
// (testing/synctest) a goroutine blocked on a channel lets time pass, and one
// blocked on a sync.Mutex does not.
type token struct {
	state  atomic.Int32
	spins  int           // tries before parking
	parked atomic.Int64  // workers that are parked, or about to be
	since  atomic.Int64  // ns: since when the worker that parked first, while no other was, has been free
	waking atomic.Bool   // a parked worker has been woken and has not tried yet
	wake   chan struct{} // never holds more than one value, thanks to waking
}

// States of a token.
const (
	free    = iota
	held    // for some ten nanoseconds
	waiting // until the next call is due
)

func newToken() *token {
	t := &token{wake: make(chan struct{}, 1)}
	if runtime.GOMAXPROCS(0) > 1 {
		t.spins = 100 // 100-200 ns: several times what a worker holds it for
	}
	return t
}

// lock takes the token for a worker whose last call ended at the given time. It
// reports whether the worker parked, so that a time it read before is stale. It
// spins for a moment first, since parking costs far more than the token is mostly
// held for, but not while the holder waits for a due time.
func (t *token) lock(idleSince time.Duration) (waited bool) {
	if t.tryLock() {
		return false
	}
	for range t.spins {
		switch t.state.Load() {
		case free:
			if t.tryLock() {
				return false
			}
		case waiting:
			t.park(idleSince)
			return true
		}
	}
	t.park(idleSince)
	return true
}

func (t *token) tryLock() bool { return t.state.CompareAndSwap(free, held) }

func (t *token) park(idleSince time.Duration) {
	if t.parked.Load() == 0 {
		t.since.Store(int64(idleSince))
	}
	t.parked.Add(1)
	for !t.tryLock() {
		<-t.wake
		t.waking.Store(false)
	}
	t.parked.Add(-1)
}

// unlock gives the token back, and wakes a parked worker unless one is on its
// way already; it reports whether it woke one. No wake-up is lost: a worker counts
// itself as parked before it tries a last time, and clears waking before it tries
// again.
func (t *token) unlock() (woke bool) {
	t.state.Store(free)
	if woke = t.parked.Load() > 0 && t.waking.CompareAndSwap(false, true); woke {
		t.wake <- struct{}{}
	}
	return woke
}

// wait tells workers that want the token that it will not be free soon.
func (t *token) wait() { t.state.Store(waiting) }
