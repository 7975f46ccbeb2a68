package ledger

import (
	"sync/atomic"
	"time"
)

// Clock is the time of a run, from where its warm-up begins.
type Clock struct {
	Start    time.Time
	Begun    chan struct{} // closed when Start is set and the workers go
	Stopping atomic.Bool   // no more calls are to be sent
}

// Now is the time since Start.
func (c *Clock) Now() time.Duration { return time.Since(c.Start) }

// Begin lets everybody go who waits for Begun.
func (c *Clock) Begin() {
	c.Start = time.Now()
	close(c.Begun)
}

// HasBegun reports whether Begin was called.
func (c *Clock) HasBegun() bool { return !c.Start.IsZero() }
