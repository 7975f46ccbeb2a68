// Package token has the lock of an open loop.
package token

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Token is a lock that may be taken out of turn. Its holder takes the next arrival
// and waits until that is due, so that at most one goroutine waits however many
// workers there are. It may be taken out of turn because a worker that comes back
// from a call while the schedule is behind is to take the next arrival at once,
// without waking another. Workers park on a channel: in fake time
// (testing/synctest) a goroutine blocked on a channel lets time pass, and one
// blocked on a sync.Mutex does not.
type Token struct {
	state  atomic.Int32
	spins  int           // tries before parking
	Parked atomic.Int64  // workers that are parked, or about to be
	Since  atomic.Int64  // ns: since when the worker that parked first, while no other was, has been free
	waking atomic.Bool   // a parked worker has been woken and has not tried yet
	wake   chan struct{} // never holds more than one value, thanks to waking
}

// States of a token.
const (
	free    = iota
	held    // for some ten nanoseconds
	waiting // until the next call is due
)

// New returns a token that is free.
func New() *Token {
	t := &Token{wake: make(chan struct{}, 1)}
	if runtime.GOMAXPROCS(0) > 1 {
		t.spins = 100 // 100-200 ns: several times what a worker holds it for
	}
	return t
}

// Lock takes the token for a worker whose last call ended at the given time. It
// reports whether the worker parked, so that a time it read before is stale. It
// spins for a moment first, since parking costs far more than the token is mostly
// held for, but not while the holder waits for a due time.
func (t *Token) Lock(idleSince time.Duration) (waited bool) {
	if t.TryLock() {
		return false
	}
	for range t.spins {
		switch t.state.Load() {
		case free:
			if t.TryLock() {
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

// TryLock takes the token if it is free.
func (t *Token) TryLock() bool { return t.state.CompareAndSwap(free, held) }

func (t *Token) park(idleSince time.Duration) {
	if t.Parked.Load() == 0 {
		t.Since.Store(int64(idleSince))
	}
	t.Parked.Add(1)
	for !t.TryLock() {
		<-t.wake
		t.waking.Store(false)
	}
	t.Parked.Add(-1)
}

// Unlock gives the token back, and wakes a parked worker unless one is on its
// way already; it reports whether it woke one. No wake-up is lost: a worker counts
// itself as parked before it tries a last time, and clears waking before it tries
// again.
func (t *Token) Unlock() (woke bool) {
	t.state.Store(free)
	if woke = t.Parked.Load() > 0 && t.waking.CompareAndSwap(false, true); woke {
		t.wake <- struct{}{}
	}
	return woke
}

// Wait tells workers that want the token that it will not be free soon.
func (t *Token) Wait() { t.state.Store(waiting) }
