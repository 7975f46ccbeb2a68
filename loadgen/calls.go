package loadgen

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// caller makes calls that a worker waits for.
type caller struct {
	*run
	call      Call // nil if async is set or the run is of a Mix
	async     AsyncCall
	plain     bool          // a call needs nothing but to be called: no Timeout, Check, OnCall or mix
	abandoned chan struct{} // closed when calls under way have been counted
}

// callsOf returns the driver of a run whose calls are one of call, async and those of a mix.
func callsOf(r *run, call Call, async AsyncCall, mix *mixer) driver {
	r.mixer = mix
	c := caller{run: r, call: call, async: async, abandoned: make(chan struct{})}
	c.plain = call != nil && r.Timeout == 0 && r.Check == nil && r.OnCall == nil
	if r.closed {
		return &closedCalls{caller: c, batch: min(max(r.Calls/int64(8*r.Workers), 1), 64), numbered: r.OnCall != nil || mix != nil}
	}
	return &openCalls{c}
}

func (c *caller) sizes() (recorders, atFirst int) { return c.Workers, c.Workers }

func (c *caller) begin() {
	for i := range c.pool.workers {
		if c.async != nil {
			c.pool.workers[i].reply = newReply(&c.course, c.async, c.abandoned)
		}
	}
}

// idle implements driver: workers wait for all calls.
func (c *caller) idle() bool { return true }

func (c *caller) finish() (free bool) { return c.pool.alive.Load() == 0 }

// abandon takes the calls that have not returned from their workers and counts
// them as failed, with the time they have taken so far. Workers in no call cannot
// start one any more and end in a moment. abandon waits for them, until no worker
// has ended for a second: a busy machine may take that long to let one run.
func (c *caller) abandon() {
	select {
	case <-c.pool.allDone:
		return
	case <-c.abandoned:
		return
	case <-time.After(endGrace):
	}
	now := c.Now()
	for i := range c.pool.workers {
		w := &c.pool.workers[i]
		if due, inCall := w.takeCall(); inCall {
			c.pool.alive.Add(-1)
			c.recording.recordUnfinished(w, due, now)
		}
	}
	close(c.abandoned)
	waitForNone(&c.pool.alive)
	if c.async != nil { // its workers give up
		waitForNone(&c.pool.running)
	}
	c.recording.LastDone.Store(int64(now))
}

// makeCall makes one call, counts it, and returns the time after it; false if the
// run did not let it start, or has taken it away.
func (c *caller) makeCall(w *worker, due, sent time.Duration) (now time.Duration, ok bool) {
	if !c.plain {
		return c.makeCallWith(w, due, sent)
	}
	if !w.startCall(due, sent) {
		c.recording.leaveOut(w, due)
		return 0, false
	}
	err := c.call(c.ctx, w.id)
	now = c.Now()
	if !w.endCall(due) {
		return 0, false
	}
	c.recording.record(w, due, now, now, err)
	if err != nil { // to count it takes as long as the callee's text of it, which is in no call's time
		now = c.Now()
	}
	return now, true
}

// makeCallWith is makeCall for runs that are not plain. The end is stamped before
// Check, and the time it returns is after Check, when the worker is free.
func (c *caller) makeCallWith(w *worker, due, sent time.Duration) (now time.Duration, ok bool) {
	w.part = c.mixer.partOf(w.number)
	if c.mixer != nil && w.part == nil || !w.startCall(due, sent) {
		c.recording.leaveOut(w, due)
		return 0, false
	}
	if c.OnCall != nil {
		c.OnCall(w.id, Arrival{Number: w.number, Due: c.Start.Add(due)})
	}
	err := c.invoke(w)
	done := c.Now()
	if w.reply != nil {
		done = w.reply.at
	}
	if c.Check != nil && err == nil {
		err = c.Check(w.id)
	}
	free := done
	if c.Check != nil || w.reply != nil {
		free = c.Now()
	}
	if !w.endCall(due) {
		return 0, false
	}
	c.recording.record(w, due, done, free, err)
	if err != nil {
		free = c.Now()
	}
	return free, true
}

func (c *caller) invoke(w *worker) error {
	if c.Timeout > 0 {
		return c.invokeWithin(w)
	}
	return c.invokeIn(c.ctx, w)
}

func (c *caller) invokeIn(ctx context.Context, w *worker) error {
	switch {
	case w.reply != nil:
		return w.reply.await(ctx, w.id)
	case w.part != nil:
		return w.part.call(ctx, w.id)
	}
	return c.call(ctx, w.id)
}

func (c *caller) invokeWithin(w *worker) error {
	ctx, cancel := context.WithTimeout(c.ctx, c.Timeout)
	defer cancel()
	err := c.invokeIn(ctx, w)
	w.atLeast = 0
	if err != nil && c.ctx.Err() == nil && (ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded)) {
		w.atLeast = c.Timeout // some callees give up a little early
	}
	return err
}

// closedCalls makes the calls of a closed loop.
type closedCalls struct {
	caller
	batch    int64        // calls claimed at once
	taken    atomic.Int64 // calls claimed
	numbered bool         // each call has a number, for OnCall and a mix
	numbers  atomic.Int64 // calls numbered
}

// loop makes calls back to back. The end of a call is the start of the next,
// so that one reading of the clock serves both.
func (c *closedCalls) loop(w *worker) {
	<-c.Begun
	now, ok := c.Now(), true
	for ok && c.mayStart(w, now) {
		if c.numbered { // in an open loop arrivals have numbers
			w.number = c.inRun.of(c.numbers.Add(1) - 1)
		}
		now, ok = c.makeCall(w, now, now)
	}
}

// mayStart reports whether a closed loop's worker may start a call now. Calls
// are claimed in batches, since one shared counter per call would cost more
// than all the rest.
func (c *closedCalls) mayStart(w *worker, now time.Duration) bool {
	if c.Stopping.Load() || now >= c.end {
		return false
	}
	if c.Calls == 0 || now < c.Warmup {
		return true
	}
	if w.claimed == 0 {
		left := c.Calls - c.taken.Load()
		n := min(c.batch, max(left/int64(4*c.Workers), 1)) // fewer in the end, or others would have to wait for them
		w.claimed = min(n, c.Calls-c.taken.Add(n)+n)
	}
	w.claimed--
	return w.claimed >= 0
}

// overdue implements driver. A closed loop does not know which call is its last: it is
// overdue when every worker waits for a call that it made before the given time, and in
// error if more were to come.
func (c *closedCalls) overdue(since time.Duration) (over bool, err error) {
	over = c.Calls > 0 && !c.Stopping.Load() && c.pool.allInCallsSince(since)
	if over && c.taken.Load() < c.Calls {
		err = fmt.Errorf("loadgen: every worker has waited for its call for longer than Drain, %v, and there are calls to come: set a Timeout, or a longer Drain for calls that take so long", c.Drain)
	}
	return over, err
}

// openCalls makes the calls of an open loop.
type openCalls struct{ caller }

func (c *openCalls) overdue(since time.Duration) (bool, error) { return c.pacing.overdue(since), nil }

// loop takes arrivals and makes their calls. A worker that comes back while
// the schedule is behind need not read the clock: it is now the end of its last
// call. After it has woken another worker it reads the clock again: that takes
// microseconds, which must not count as service.
func (c *openCalls) loop(w *worker) {
	p, now, ok := &c.pacing, time.Duration(-1), true
	for ok {
		waited := p.token.Lock(w.last)
		if waited || now < 0 {
			now = c.Now()
		}
		w.holdsToken = true
		due, sent, claimed := p.claim(w, now, waited)
		w.holdsToken = false
		if woke := p.token.Unlock(); woke {
			sent = c.Now()
		}
		if !claimed {
			return
		}
		now, ok = c.makeCall(w, due, sent)
	}
}
