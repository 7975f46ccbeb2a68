package loadgen

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/ledger"
)

// course is how a run goes on: its clock, its end, and whether it is stopped. Times are
// offsets from Start, where the warm-up begins.
type course struct {
	Config
	ledger.Clock
	ctx    context.Context
	closed bool          // the schedule is ClosedLoop
	end    time.Duration // Warmup + Duration, or never
	inRun  numbering     // of the calls, among those of other processes

	earlyEnd atomic.Int64  // ns: when enough was known, in an open loop; never before that
	ending   chan struct{} // closed when earlyEnd is set

	stopped  chan struct{} // closed when stopping
	stopAt   time.Duration // set before stopping is; -1 if the clock had not begun
	stopOnce sync.Once
	err      atomic.Pointer[error] // the first that ended the run
	wake     func()                // the worker that waits for a due time, for good
}

func (c *course) prepare(ctx context.Context, cfg Config) {
	c.Config, c.ctx, c.closed, c.end = cfg, ctx, isClosed(cfg.Schedule), never
	if c.Duration > 0 {
		c.end = min(c.Warmup+c.Duration, never)
	}
	c.inRun = c.numbering()
	c.Begun, c.ending, c.stopped = make(chan struct{}), make(chan struct{}), make(chan struct{})
	c.earlyEnd.Store(int64(never))
	c.wake = func() {}
}

// stop ends the sending of calls. The first error that it is given is the run's,
// also if it comes from a hook after the end.
func (c *course) stop(err error) {
	if err != nil {
		c.err.CompareAndSwap(nil, &err)
	}
	c.stopOnce.Do(func() {
		if c.stopAt = -1; c.HasBegun() {
			c.stopAt = c.Now()
		}
		c.Stopping.Store(true)
		c.wake()
		close(c.stopped)
	})
}

// error returns why the run ended early; nil if it did not.
func (c *course) error() error {
	if err := c.err.Load(); err != nil {
		return *err
	}
	return nil
}

// enough ends the run as Duration does: calls due by now are still sent, since the
// slowest would be left out otherwise. It leaves the time in earlyEnd and does not
// take the token, which busy workers may keep from it for any time.
func (c *course) enough() {
	if c.closed {
		c.stop(nil)
		return
	}
	if c.earlyEnd.CompareAndSwap(int64(never), int64(c.Now())) {
		close(c.ending)
		c.wake()
	}
}

// lastToCount is the due time after which arrivals do not belong to the run.
func (c *course) lastToCount() time.Duration {
	if c.Stopping.Load() {
		return c.stopAt
	}
	return never
}

// hook calls f, which may be nil, so that a panic in it ends the run and not the
// process.
func (c *course) hook(name string, f func()) {
	if f == nil {
		return
	}
	returned := false
	defer func() {
		if !returned {
			c.stop(&PanicError{Worker: -1, Hook: name, Value: recover(), Stack: debug.Stack()})
		}
	}()
	f()
	returned = true
}

// PanicError says that a call, a hook of Config, the Schedule or Mix.Pick panicked, or ended
// its goroutine.
type PanicError struct {
	Worker int    // the worker whose call, OnCall or Check it was; -1 for another hook
	Hook   string // that other hook, as in "OnStart", "Schedule" or "Pick"; empty if Worker is not -1
	Value  any    // what panic was given; nil if the goroutine was ended, as t.FailNow does
	Stack  []byte
}

func (e *PanicError) Error() string {
	who := e.Hook
	if who == "" {
		who = fmt.Sprintf("the call of worker %d", e.Worker)
	}
	if e.Value == nil {
		return fmt.Sprintf("loadgen: %s ended its goroutine (runtime.Goexit, t.FailNow or b.Fatal)", who)
	}
	return fmt.Sprintf("loadgen: %s panicked: %v\n%s", who, e.Value, e.Stack)
}

// Unwrap returns Value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
