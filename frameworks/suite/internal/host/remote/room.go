package remote

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// room is what may be held in memory, in bytes. The zero value is all of maxHeld.
type room struct {
	mu    sync.Mutex
	taken int64
	given int64 // since memory was last given back to the system
}

// take takes a part of it, before it is read.
func (r *room) take(n int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case n < 0:
		return fmt.Errorf("the length of an order must be told before it")
	case n > maxMessage:
		return fmt.Errorf("an order has %d bytes, and may have %d", n, maxMessage)
	case r.taken+n > maxHeld:
		return fmt.Errorf("all runs that meet here have %d MiB of orders and replies under way, the most at once", maxHeld>>20)
	}
	r.taken += n
	return nil
}

// enough is how much is given before memory goes back to the system.
const enough = 16 << 20

// give gives a part back. The runtime itself would keep the memory for minutes.
func (r *room) give(n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken -= n
	if r.given += n; r.given >= enough && r.taken < enough {
		r.given = 0
		go debug.FreeOSMemory()
	}
}
