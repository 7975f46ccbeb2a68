package loadgen

import (
	"fmt"
	"math"
	"runtime/debug"
	"time"
)

// openState is what the holder of the token works on.
type openState struct {
	arrivals    Arrivals
	last        time.Duration // the latest due time taken
	taken       int64         // arrivals taken, warm-up included
	warm        int64         // arrivals taken that were part of the warm-up
	dropped     int64         // arrivals after the warm-up that were not sent
	end         time.Duration // arrivals due before it are sent
	exhausted   bool          // the schedule, Calls or Duration ended
	meanService time.Duration // moving average
	lateFree    int64         // calls sent late while a worker was free
	lastSent    time.Duration
	lead        time.Duration // how much before due a timer is set
	backlog     backlog
}

func (r *run) openUp() (err error) {
	if r.closed {
		r.napper = newTimerNapper()
		return nil
	}
	r.open.lead, r.open.end = minLead, r.end
	r.open.arrivals = r.arrivals()
	r.open.backlog = backlog{ahead: r.arrivals(), end: r.end, calls: math.MaxInt64}
	if r.Calls > 0 && r.Warmup == 0 {
		r.open.backlog.calls = r.Calls
	}
	r.napper, err = newNapper(r.Wait)
	if y, ok := r.napper.(yielder); ok && r.Wait == WaitAwake {
		r.yielder = y
	}
	return err
}

// arrivals starts the schedule. A user's own may panic while a worker holds
// the token: that ends the schedule.
func (r *run) arrivals() Arrivals {
	switch a := r.Schedule.Start().(type) {
	case *constantArrivals, *poissonArrivals, *rampArrivals, *stepsArrivals, *traceArrivals:
		return a
	default:
		return guarded{a, r}
	}
}

type guarded struct {
	Arrivals
	r *run
}

func (g guarded) Next() (due time.Duration, ok bool) {
	defer func() {
		if v := recover(); v != nil {
			due, ok = 0, false
			g.r.stop(&PanicError{Worker: -1, Value: v, Stack: debug.Stack()})
		}
	}()
	return g.Arrivals.Next()
}

func (r *run) closeUp() { r.napper.close() }

// openLoop takes arrivals and makes their calls. A worker that comes back
// while the schedule is behind knows the time: its last call's end is now.
func (r *run) openLoop(w *worker) {
	now := time.Duration(-1)
	for {
		if waited := r.token.lock(); waited || now < 0 {
			now = r.now()
		}
		due, sent, ok := r.claim(w, now)
		r.token.unlock()
		if !ok {
			return
		}
		now = r.makeCall(w, due, sent)
	}
}

// claim takes the next arrival that is to be sent, and returns when it is due.
func (r *run) claim(w *worker, now time.Duration) (due, sent time.Duration, ok bool) {
	r.open.meanService += (w.service - r.open.meanService) / 8
	for {
		if r.stopping.Load() {
			return 0, 0, false
		}
		if due, ok = r.next(); !ok {
			return 0, 0, false
		}
		free := r.token.parked.Load() > 0
		if due > now {
			free = true
			r.token.wait()
			now = r.wait(due, now)
			r.bringForward()
		}
		if r.stopping.Load() || due >= r.open.end {
			r.giveBack(due)
			return 0, 0, false
		}
		if !r.drop(due, now) {
			r.note(due, now, free)
			return due, now, true
		}
	}
}

// next takes an arrival from the schedule.
func (r *run) next() (due time.Duration, ok bool) {
	o := &r.open
	if o.exhausted || r.Calls > 0 && o.taken-o.warm >= r.Calls {
		return 0, false
	}
	due, ok = o.arrivals.Next()
	r.bringForward()
	if !ok || due >= o.end {
		o.exhausted = true
		return 0, false
	}
	if due < o.last {
		o.exhausted = true
		r.stop(fmt.Errorf("loadgen: the schedule went backwards: call %d is due at %v, the one before it at %v", o.taken, due, o.last))
		return 0, false
	}
	o.last = due
	o.taken++
	if due < r.Warmup {
		o.warm++
	}
	return due, true
}

// bringForward takes note of enough.
func (r *run) bringForward() {
	if early := time.Duration(r.endEarly.Load()); early < r.open.end {
		r.open.end, r.open.backlog.end = early, early
	}
}

// giveBack undoes the taking of an arrival at which the run was stopped: it
// was dropped if it was due by then, else it never was.
func (r *run) giveBack(due time.Duration) {
	if due < r.Warmup {
		return
	}
	if due <= r.now() && due < r.open.end {
		r.open.dropped++
	} else {
		r.open.taken--
	}
}

// drop reports whether the arrival is not to be sent, and counts it.
func (r *run) drop(due, now time.Duration) bool {
	late := r.MaxLag > 0 && now-due > r.MaxLag
	over := r.MaxBacklog > 0 && now > due && r.open.backlog.depth(now, r.open.taken) > r.MaxBacklog
	past := now > r.open.end+r.Drain
	if !late && !over && !past {
		return false
	}
	if due >= r.Warmup {
		r.open.dropped++
	}
	return true
}

// lateness is how late a call must be sent to count as late.
const lateness = time.Millisecond

// note keeps what the verdict needs of a call that is about to be sent. The
// generator is to blame for the time since the call was due and the one before
// it sent, if a worker was free.
func (r *run) note(due, now time.Duration, free bool) {
	o := &r.open
	if due >= r.Warmup && now > due {
		if free && now-max(due, o.lastSent) > lateness {
			o.lateFree++
		}
		o.backlog.see(now-due, now, o.taken)
	}
	o.lastSent = now
}

// inFlight is the number of calls under way: that of the workers that neither
// are parked nor hold the token. A worker on its way counts as a call.
func (r *run) inFlight() int64 { return int64(r.Workers) - 1 - r.token.parked.Load() }

// dropRest counts the arrivals that were due when the run was stopped or ran
// out of time and that no worker took.
func (r *run) dropRest() {
	until := r.open.end
	if r.stopping.Load() {
		until = min(until, r.stopAt)
	}
	for {
		due, ok := r.next()
		if !ok || due > until {
			return
		}
		if due >= r.Warmup {
			r.open.dropped++
		}
	}
}

// backlog counts the arrivals that are due and not taken, by an iterator of
// the same schedule that runs ahead of the workers'.
type backlog struct {
	ahead Arrivals
	end   time.Duration // arrivals due before it count
	calls int64         // and so many at most
	next  time.Duration // the arrival after those counted
	count int64         // arrivals due so far
	asked bool          // next is one

	maxDepth  int64
	maxLag    time.Duration
	lookedLag time.Duration // the largest at which depth was looked up
}

// depth is the number of arrivals due by now, of which all before the latest
// taken were sent.
func (b *backlog) depth(now time.Duration, taken int64) int64 {
	for b.count < b.calls && b.next < b.end {
		if b.asked {
			if b.next > now {
				break
			}
			b.count++
		}
		var ok bool
		if b.next, ok = b.ahead.Next(); !ok {
			b.next = b.end
		}
		b.asked = true
	}
	return max(b.count-taken+1, 0)
}

// see notes a call sent late. The depth is looked up only when the lag has
// grown by an eighth since the last time: nearly always it has not.
func (b *backlog) see(lag, now time.Duration, taken int64) {
	b.maxLag = max(b.maxLag, lag)
	if lag > b.lookedLag+b.lookedLag/8 {
		b.maxDepth = max(b.maxDepth, b.depth(now, taken))
		b.lookedLag = lag
	}
}
