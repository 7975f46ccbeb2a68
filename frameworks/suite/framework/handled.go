package framework

import (
	"math/rand/v2"
	"sync/atomic"
)

// handled counts the calls that the handlers of this process have completed. It is
// a package variable for the same reason as serving.
var handled struct {
	counting atomic.Bool
	shards   [64]struct {
		calls atomic.Int64
		_     [56]byte // handlers on other CPUs write their own cache lines
	}
}

// CountHandled counts a completed call. HandleEcho calls it; a handler that answers without
// HandleEcho calls it itself. Until Handled is called it does nothing.
func CountHandled() {
	if handled.counting.Load() {
		handled.shards[rand.Uint32()%uint32(len(handled.shards))].calls.Add(1)
	}
}

// Handled returns how many calls the handlers of this process have completed since the
// first call of Handled, which starts the count.
func Handled() (calls int64) {
	handled.counting.Store(true)
	for i := range handled.shards {
		calls += handled.shards[i].calls.Load()
	}
	return calls
}
