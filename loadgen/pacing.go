package loadgen

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/backlog"
	"github.com/rpcbench/rpcbench/loadgen/internal/token"
)

// pacing hands out the arrivals of an open loop, each to one worker, when they are due.
type pacing struct {
	waiter
	token     *token.Token
	open      openState         // guarded by token
	mixer     *mixer            // nil if the run is not of a Mix
	lastDue   atomic.Int64      // ns: latest due time of the arrivals taken, to a millisecond
	lookahead backlog.Lookahead // for overdue
}

// openState is what the holder of the token works on.
type openState struct {
	arrivals    Arrivals
	last        time.Duration // the latest due time taken
	taken       int64         // arrivals taken, warm-up included
	warm        int64         // arrivals taken that were part of the warm-up
	dropped     int64         // arrivals after the warm-up that were not sent
	end         time.Duration // arrivals due before it are sent
	exhausted   bool          // the schedule, Calls or Duration ended
	stalledTill time.Duration // when the generator last sent late though a worker was free
	lateFree    int64         // calls sent late for that reason
	lastSent    time.Duration // when the latest call was sent
	backlog     backlog.Backlog
}

// prepare makes what waits for due times, and starts the schedule.
func (p *pacing) prepare(c *course, m *mixer) error {
	p.token, p.mixer, p.open.end = token.New(), m, c.end
	if c.closed {
		return nil
	}
	if err := p.waiter.prepare(c); err != nil {
		return err
	}
	c.hook("Schedule", func() {
		p.open.arrivals = arrivalsOf(c)
		p.open.backlog.Lookahead = backlog.Look(arrivalsOf(c), c.Warmup, c.end, c.Calls)
		p.lookahead = backlog.Look(arrivalsOf(c), c.Warmup, c.end, c.Calls)
	})
	if err := c.error(); err != nil {
		p.close()
		return err
	}
	return nil
}

// overdue reports whether the last call has been due before a time.
func (p *pacing) overdue(since time.Duration) bool {
	if time.Duration(p.lastDue.Load()) > since { // nearly always
		return false
	}
	p.lookahead.Advance(since)
	return p.lookahead.Over()
}

// arrivalsOf starts the schedule. A user's own schedule may panic while a worker
// holds the token, so it is guarded: the panic ends the schedule and the run. Ours
// do not panic, and a deferred recover would cost them some nanoseconds an arrival.
func arrivalsOf(c *course) Arrivals {
	switch a := c.Schedule.Start().(type) {
	case *constantArrivals, *poissonArrivals, *rampArrivals, *stepsArrivals, *traceArrivals:
		return a
	default:
		return guarded{a, c}
	}
}

type guarded struct {
	Arrivals
	course *course
}

func (g guarded) Next() (due time.Duration, ok bool) {
	returned := false
	defer func() {
		if !returned {
			due, ok = 0, false
			g.course.stop(&PanicError{Worker: -1, Hook: "Schedule", Value: recover(), Stack: debug.Stack()})
		}
	}()
	due, ok = g.Arrivals.Next()
	returned = true
	return due, ok
}

// claim takes the next arrival that is to be sent, and returns when it is due.
func (p *pacing) claim(w *worker, now time.Duration, waited bool) (due, sent time.Duration, ok bool) {
	p.served(w.service)
	for {
		if p.Stopping.Load() {
			return 0, 0, false
		}
		if due, ok = p.next(); !ok {
			return 0, 0, false
		}
		free := p.freeSince(w, due, now, waited)
		if due > now {
			p.token.Wait()
			p.expect(due, p.open.taken)
			now = p.wait(due, now)
			p.bringForward()
		}
		if p.Stopping.Load() || due >= p.open.end {
			p.giveBack(due)
			return 0, 0, false
		}
		p.blame(due, now, free)
		if !p.drop(due, now) {
			p.note(due, now)
			w.number = p.inRun.of(p.open.taken - 1)
			return due, now, true
		}
	}
}

// freeSince returns since when there has been a free worker for an arrival: its
// due time if there was one all along, and never if the only one is the worker that
// has just come back from a call.
func (p *pacing) freeSince(w *worker, due, now time.Duration, waited bool) time.Duration {
	switch {
	case due > now: // the worker that holds the token waits for it
		return due
	case waited: // the one that holds it was woken
		return max(due, w.last)
	case p.token.Parked.Load() > 0:
		return max(due, time.Duration(p.token.Since.Load()))
	}
	return never
}

// next takes an arrival from the schedule.
func (p *pacing) next() (due time.Duration, ok bool) {
	o, c := &p.open, p.course
	if o.exhausted || c.Calls > 0 && o.taken-o.warm >= c.Calls {
		return 0, false
	}
	due, ok = o.arrivals.Next()
	p.bringForward()
	if !ok || due >= o.end {
		o.exhausted = true
		return 0, false
	}
	if due < o.last {
		o.exhausted = true
		p.stop(fmt.Errorf("loadgen: the schedule went backwards: call %d is due at %v, the one before it at %v", o.taken, due, o.last))
		return 0, false
	}
	o.last = due
	if due-time.Duration(p.lastDue.Load()) >= time.Millisecond {
		p.lastDue.Store(int64(due))
	}
	o.taken++
	if due < c.Warmup {
		o.warm++
	}
	return due, true
}

// bringForward moves the end of the run forward once enough is known. Only the
// holder of the token may change the end, so enough leaves the time in earlyEnd.
func (p *pacing) bringForward() {
	if early := time.Duration(p.earlyEnd.Load()); early < p.open.end {
		p.open.end, p.open.backlog.End = early, early
	}
}

// giveBack undoes the taking of an arrival that will not be sent because the run
// was stopped, or its end moved forward. An arrival that was due by then counts as
// dropped; a later one does not belong to the run.
func (p *pacing) giveBack(due time.Duration) {
	if due < p.Warmup {
		return
	}
	if due <= p.lastToCount() && due < p.open.end {
		p.countDropped()
	} else {
		p.open.taken--
	}
}

// drop reports whether the arrival taken last is not to be sent, and counts it if
// so.
func (p *pacing) drop(due, now time.Duration) bool {
	late := p.MaxLag > 0 && now-due > p.MaxLag
	over := p.MaxBacklog > 0 && now > due+p.Slack && p.open.backlog.Depth(now-p.Slack, p.open.taken) > p.MaxBacklog
	past := now > p.open.end+p.Drain
	if !late && !over && !past {
		return false
	}
	if due >= p.Warmup {
		p.countDropped()
	}
	return true
}

// countDropped counts the arrival taken last as dropped.
func (p *pacing) countDropped() {
	p.open.dropped++
	p.mixer.partOf(p.inRun.of(p.open.taken - 1)).drop()
}

// lateness is how much later than Slack a call must be sent to count as late.
const lateness = time.Millisecond

// blame counts the calls that are late because of the generator, for the verdict.
//
// The generator is to blame for the time in which it sent nothing although a call
// was due and a worker was free. That time ends now, and began when the worker was
// free or when the last call was sent, whichever is later. If it is longer than
// Slack and lateness, the calls that were due so long before its end are late
// because of the generator, even those sent afterwards by workers that were busy. It is
// to blame too for a call that is late although a worker was free all the time: it sent
// others in that time, but too slowly.
// A callee that stands still is not mistaken for this: it keeps all workers busy,
// so that none is free, or it leaves one free, and then calls are sent on time.
func (p *pacing) blame(due, now, free time.Duration) {
	o, late := &p.open, p.Slack+lateness
	if due < p.Warmup || now <= due {
		return
	}
	if now-max(free, o.lastSent) > late {
		o.stalledTill = now
	}
	if due < o.stalledTill-late || free <= due && now-due > late {
		o.lateFree++
	}
}

// note takes note of a call that is about to be sent.
func (p *pacing) note(due, now time.Duration) {
	if due >= p.Warmup && now > due {
		p.open.backlog.See(now-due, now-p.Slack, p.open.taken)
	}
	p.open.lastSent = now
}

// dropRest counts the arrivals that were due when the run was stopped or ran
// out of time and that no worker took.
func (p *pacing) dropRest() {
	until := min(p.open.end, p.lastToCount())
	for {
		due, ok := p.next()
		if !ok || due > until {
			return
		}
		if due >= p.Warmup {
			p.countDropped()
		}
	}
}

// rates returns the calls per second that were due and that were sent, and how
// long after the last due time the last call was sent. Offered is over the time in
// which calls were due, and achieved over the time in which they were sent, so the
// two are equal if no call was dropped and the last was sent on time.
func (p *pacing) rates(res *Result) (offered, achieved float64, behind time.Duration) {
	due := p.open.last - p.Warmup
	if due <= 0 {
		return 0, 0, 0
	}
	behind = max(p.open.lastSent-p.open.last, 0)
	return float64(res.Due) / due.Seconds(), float64(res.Sent) / (due + behind).Seconds(), behind
}
