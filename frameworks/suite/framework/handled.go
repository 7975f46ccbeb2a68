package framework

import (
	"math/rand/v2"
	"sync/atomic"
)

// tally counts what handlers do on all CPUs at once, from when it is first read.
type tally struct {
	counting atomic.Bool
	shards   [64]struct {
		n atomic.Int64
		_ [56]byte // handlers on other CPUs write their own cache lines
	}
}

// add counts one. Until the tally is read it does nothing.
func (t *tally) add() {
	if t.counting.Load() {
		t.shards[rand.Uint32()%uint32(len(t.shards))].n.Add(1)
	}
}

// read returns what was counted since the first call of read, which starts the count.
func (t *tally) read() (n int64) {
	t.counting.Store(true)
	for i := range t.shards {
		n += t.shards[i].n.Load()
	}
	return n
}

// handled counts the calls that the handlers of this process have completed. It is
// a package variable for the same reason as serving.
var handled tally

// CountHandled counts a completed call. HandleEcho calls it; a handler that answers without
// HandleEcho calls it itself. Until Handled is called it does nothing.
func CountHandled() { handled.add() }

// Handled returns how many calls the handlers of this process have completed since the
// first call of Handled, which starts the count.
func Handled() (calls int64) { return handled.read() }
