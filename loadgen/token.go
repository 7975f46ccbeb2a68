package loadgen

import (
	"runtime"
	"sync/atomic"
	"time"
)

// token is a lock that may be taken out of turn. Whoever holds it takes the
// next arrival and waits until that is due, so that at most one goroutine
// waits however many workers there are. Out of turn, because a worker that
// comes back from a call while the schedule is behind shall take the next
// arrival at once, without waking another. It parks on a channel, which makes
// it safe to hold across a sleep in fake time, where a sync.Mutex is not.
type token struct {
	state  atomic.Int32
	spins  int           // tries before parking
	parked atomic.Int64  // workers that are parked, or about to be
	since  atomic.Int64  // ns: when the first of them came, after there was none
	waking atomic.Bool   // one of them has been woken and has not tried yet
	wake   chan struct{} // never holds more than one, by waking
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
// reports whether it had to wait long enough for a time read before to be stale.
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
// way already; it reports whether it did. No wake-up is lost: a worker counts
// itself as parked before it tries a last time, and stops being on its way before
// it tries again.
func (t *token) unlock() (woke bool) {
	t.state.Store(free)
	if woke = t.parked.Load() > 0 && t.waking.CompareAndSwap(false, true); woke {
		t.wake <- struct{}{}
	}
	return woke
}

// wait tells those who want the token that it will not come back soon.
func (t *token) wait() { t.state.Store(waiting) }
