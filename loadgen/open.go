package loadgen

import (
	"fmt"
	"math"
	"runtime/debug"
	"sync"
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
	stalledTill time.Duration // when the generator last sent late though a worker was free
	lateFree    int64         // calls sent late for that reason
	lastSent    time.Duration // when the latest call was sent
	lead        time.Duration // how long before due the timer is to wake
	backlog     backlog
}

// openUp makes what waits for due times, and starts the schedule.
func (r *run) openUp() (err error) {
	if r.closed {
		r.napper, r.wake = newTimerNapper(), func() {}
		return nil
	}
	r.open.lead, r.open.end = minLead, r.end
	if r.napper, err = newNapper(r.Wait); err != nil {
		return err
	}
	r.wake = sync.OnceFunc(r.napper.interrupt)
	r.hook("Schedule", func() {
		r.open.arrivals = r.arrivals()
		r.open.backlog.lookahead = r.newLookahead()
		r.lookahead = r.newLookahead()
	})
	if err := r.error(); err != nil {
		r.napper.close()
		return err
	}
	if y, ok := r.napper.(yielder); ok && r.Wait == WaitAwake {
		r.yielder = y
	}
	return nil
}

// arrivals starts the schedule. A user's own schedule may panic while a worker
// holds the token, so it is guarded: the panic ends the schedule and the run. Ours
// do not panic, and a deferred recover would cost them some nanoseconds an arrival.
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
	returned := false
	defer func() {
		if !returned {
			due, ok = 0, false
			g.r.stop(&PanicError{Worker: -1, Hook: "Schedule", Value: recover(), Stack: debug.Stack()})
		}
	}()
	due, ok = g.Arrivals.Next()
	returned = true
	return due, ok
}

// openLoop takes arrivals and makes their calls. A worker that comes back while
// the schedule is behind need not read the clock: it is now the end of its last
// call. After it has woken another worker it reads the clock again: that takes
// microseconds, which must not count as service.
func (r *run) openLoop(w *worker) {
	now, ok := time.Duration(-1), true
	for ok {
		waited := r.token.lock(w.last)
		if waited || now < 0 {
			now = r.now()
		}
		w.holdsToken = true
		due, sent, claimed := r.claim(w, now, waited)
		w.holdsToken = false
		if woke := r.token.unlock(); woke {
			sent = r.now()
		}
		if !claimed {
			return
		}
		now, ok = r.makeCall(w, due, sent)
	}
}

// claim takes the next arrival that is to be sent, and returns when it is due.
func (r *run) claim(w *worker, now time.Duration, waited bool) (due, sent time.Duration, ok bool) {
	r.open.meanService += (w.service - r.open.meanService) / 8
	for {
		if r.stopping.Load() {
			return 0, 0, false
		}
		if due, ok = r.next(); !ok {
			return 0, 0, false
		}
		free := r.freeSince(w, due, now, waited)
		if due > now {
			r.token.wait()
			now = r.wait(due, now)
			r.bringForward()
		}
		if r.stopping.Load() || due >= r.open.end {
			r.giveBack(due)
			return 0, 0, false
		}
		r.blame(due, now, free)
		if !r.drop(due, now) {
			r.note(due, now)
			w.number = r.inRun.of(r.open.taken - 1)
			return due, now, true
		}
	}
}

// freeSince returns since when there has been a free worker for an arrival: its
// due time if there was one all along, and never if the only one is the worker that
// has just come back from a call.
func (r *run) freeSince(w *worker, due, now time.Duration, waited bool) time.Duration {
	switch {
	case due > now: // the worker that holds the token waits for it
		return due
	case waited: // the one that holds it was woken
		return max(due, w.last)
	case r.token.parked.Load() > 0:
		return max(due, time.Duration(r.token.since.Load()))
	}
	return never
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
	if due-time.Duration(r.lastDue.Load()) >= time.Millisecond {
		r.lastDue.Store(int64(due))
	}
	o.taken++
	if due < r.Warmup {
		o.warm++
	}
	return due, true
}

// bringForward moves the end of the run forward once enough is known. Only the
// holder of the token may change the end, so enough leaves the time in endEarly.
func (r *run) bringForward() {
	if early := time.Duration(r.endEarly.Load()); early < r.open.end {
		r.open.end, r.open.backlog.end = early, early
	}
}

// giveBack undoes the taking of an arrival that will not be sent because the run
// was stopped, or its end moved forward. An arrival that was due by then counts as
// dropped; a later one does not belong to the run.
func (r *run) giveBack(due time.Duration) {
	if due < r.Warmup {
		return
	}
	if due <= r.lastToCount() && due < r.open.end {
		r.countDropped()
	} else {
		r.open.taken--
	}
}

// lastToCount is the due time after which arrivals do not belong to the run.
func (r *run) lastToCount() time.Duration {
	if r.stopping.Load() {
		return r.stopAt
	}
	return never
}

// drop reports whether the arrival taken last is not to be sent, and counts it if
// so.
func (r *run) drop(due, now time.Duration) bool {
	late := r.MaxLag > 0 && now-due > r.MaxLag
	over := r.MaxBacklog > 0 && now > due && r.open.backlog.depth(now, r.open.taken) > r.MaxBacklog
	past := now > r.open.end+r.Drain
	if !late && !over && !past {
		return false
	}
	if due >= r.Warmup {
		r.countDropped()
	}
	return true
}

// countDropped counts the arrival taken last as dropped.
func (r *run) countDropped() {
	r.open.dropped++
	r.mixer.partOf(r.inRun.of(r.open.taken - 1)).drop()
}

// lateness is how late a call must be sent to count as late.
const lateness = time.Millisecond

// blame counts the calls that are late because of the generator, for the verdict.
//
// The generator is to blame for the time in which it sent nothing although a call
// was due and a worker was free. That time ends now, and began when the worker was
// free or when the last call was sent, whichever is later. If it is longer than
// lateness, the calls that were due more than lateness before its end are late
// because of the generator, even those sent afterwards by workers that were busy.
// A callee that stands still is not mistaken for this: it keeps all workers busy,
// so that none is free, or it leaves one free, and then calls are sent on time.
func (r *run) blame(due, now, free time.Duration) {
	o := &r.open
	if due < r.Warmup || now <= due {
		return
	}
	if now-max(free, o.lastSent) > lateness {
		o.stalledTill = now
	}
	if due < o.stalledTill-lateness {
		o.lateFree++
	}
}

// note takes note of a call that is about to be sent.
func (r *run) note(due, now time.Duration) {
	if due >= r.Warmup && now > due {
		r.open.backlog.see(now-due, now, r.open.taken)
	}
	r.open.lastSent = now
}

// inFlight is the number of calls under way: workers that are not parked and do
// not hold the token. A worker between its call and the token counts as a call, and
// so does a message that the carrier waits for.
func (r *run) inFlight() int64 {
	if r.carrier != nil && r.carrier.Waiting() {
		return 1
	}
	return r.started.Load() - 1 - r.token.parked.Load()
}

// dropRest counts the arrivals that were due when the run was stopped or ran
// out of time and that no worker took.
func (r *run) dropRest() {
	until := min(r.open.end, r.lastToCount())
	for {
		due, ok := r.next()
		if !ok || due > until {
			return
		}
		if due >= r.Warmup {
			r.countDropped()
		}
	}
}

// lookahead counts the arrivals that are due, whether or not a worker has taken
// them. It draws them from arrivals of its own, started from the same schedule.
type lookahead struct {
	arrivals Arrivals
	warmup   time.Duration
	end      time.Duration // arrivals due before it count
	calls    int64         // arrivals after the warm-up that may still be counted
	next     time.Duration // the arrival after those counted
	asked    bool          // next is set
	count    int64         // arrivals due so far
}

func (r *run) newLookahead() lookahead {
	l := lookahead{arrivals: r.arrivals(), warmup: r.Warmup, end: r.end, calls: math.MaxInt64}
	if r.Calls > 0 {
		l.calls = r.Calls
	}
	return l
}

// advance counts the arrivals that are due by now.
func (l *lookahead) advance(now time.Duration) {
	for !l.over() {
		if l.asked {
			if l.next > now {
				return
			}
			l.count++
			if l.next >= l.warmup {
				l.calls--
			}
		}
		var ok bool
		if l.next, ok = l.arrivals.Next(); !ok {
			l.next = never
		}
		l.asked = true
	}
}

// over reports whether all arrivals there are have been counted.
func (l *lookahead) over() bool { return l.calls <= 0 || l.next >= l.end }

// backlog keeps how many arrivals were due and not yet sent, and for how long.
type backlog struct {
	lookahead
	maxDepth  int64
	maxLag    time.Duration
	lookedLag time.Duration // the largest at which depth was looked up
}

// depth is the number of arrivals that are due and not sent. The latest taken is
// one of them: it is about to be sent or dropped. Those before it are not.
func (b *backlog) depth(now time.Duration, taken int64) int64 {
	b.advance(now)
	return max(b.count-taken+1, 0)
}

// see notes a call sent late. The depth costs a look at the schedule, so it is
// looked up only when the lag is an eighth larger than at the last look, which it
// nearly never is. MaxBacklog may therefore be a little less than the true maximum.
func (b *backlog) see(lag, now time.Duration, taken int64) {
	b.maxLag = max(b.maxLag, lag)
	if lag > b.lookedLag+b.lookedLag/8 {
		b.maxDepth = max(b.maxDepth, b.depth(now, taken))
		b.lookedLag = lag
	}
}
