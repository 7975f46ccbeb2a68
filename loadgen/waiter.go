package loadgen

import (
	"fmt"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/timer"
)

// The waiting rule's times. A kernel timer wakes a goroutine 20 to 100 µs late,
// which depends on the machine. The lead, by which the timer is set before due, is
// therefore learned: it grows when a wake-up came too late, and shrinks a little
// when not.
const (
	minLead     = 30 * time.Microsecond
	maxLead     = 120 * time.Microsecond
	leadLost    = 10 * time.Microsecond  // added when the timer was too late
	leadWon     = 250 * time.Nanosecond  // taken off when it was not; 10 µs / 250 ns lets 1 in 40 be too late
	leadWorth   = 5                      // gaps shorter than this number of half leads are not slept through
	leastSlack  = 50 * time.Microsecond  // a kernel timer is later than a smaller one
	awakeFor    = 150 * time.Microsecond // how long to stay awake for replies
	quickCallee = 200 * time.Microsecond // mean service from which on staying awake is not worth it
	spinFor     = 1500 * time.Nanosecond // from this close to due on, only the clock is read
)

// waiter waits for due times, as the holder of the token does.
type waiter struct {
	*course
	timer       timer.Timer
	yielder     timer.Yielder // nil if the waiter does not stay awake
	inFlight    func() bool   // whether calls are under way
	meanService time.Duration // moving average
	lead        time.Duration // how long before a call must be sent the timer is to wake
	meanGap     time.Duration // moving average of the time between calls due
	waited      struct {      // the last call that was waited for
		due time.Duration
		n   int64
	}
}

func (w *waiter) prepare(c *course) (err error) {
	w.course, w.lead, w.meanGap = c, minLead, c.Slack
	if w.timer, err = newTimer(c); err != nil {
		return fmt.Errorf("loadgen: %w", err)
	}
	c.wake = sync.OnceFunc(w.timer.Interrupt)
	if y, ok := w.timer.(timer.Yielder); ok && c.Slack < leastSlack {
		w.yielder = y
	}
	return nil
}

func newTimer(c *course) (timer.Timer, error) {
	if c.RuntimeTimers {
		return timer.Runtime(), nil
	}
	return timer.New(c.Slack < leastSlack)
}

// close gives the timer back; a closed loop has none.
func (w *waiter) close() {
	if w.timer != nil {
		w.timer.Close()
	}
}

// expect notes that call number n is waited for. Calls that share its wake-up are not, so the
// gap is the mean one since the last call that was.
func (w *waiter) expect(due time.Duration, n int64) {
	gap := (due - w.waited.due) / time.Duration(max(n-w.waited.n, 1))
	w.meanGap += (gap - w.meanGap) / 8
	w.waited.due, w.waited.n = due, n
}

// served notes how long a call took.
func (w *waiter) served(service time.Duration) { w.meanService += (service - w.meanService) / 8 }

// wait waits until due and returns the time then. It returns earlier when the
// run is being stopped. Only the holder of the token calls it.
//
// If it is to stay awake, it first does so for replies, if they come quickly; then sleeps
// until a lead before due, if that is long enough; and then yields until due. Whenever
// other programs turn out to want the CPU, it sleeps for the rest.
func (w *waiter) wait(due, now time.Duration) time.Duration {
	switch {
	case w.yielder == nil:
		return w.waitWithin(due, now)
	case w.yielder.GivesWay():
		return w.waitAsleep(due, now)
	}
	long := due-now >= w.lead*leadWorth/2
	if w.meanService < quickCallee {
		now = w.awaitReplies(min(due, now+awakeFor), now)
	}
	if long && due-now > w.lead {
		w.timer.Sleep(due - now - w.lead)
		now = w.Now()
		w.learnLead(due - now)
	}
	for ; now < due && w.stillWaits(due); now = w.Now() {
		if w.yielder.GivesWay() {
			return w.waitAsleep(due, now)
		}
		if due-now > spinFor {
			w.yielder.Yield()
		}
	}
	return now
}

// stillWaits reports whether the arrival is still to be waited for.
func (w *waiter) stillWaits(due time.Duration) bool {
	return !w.Stopping.Load() && int64(due) < w.earlyEnd.Load()
}

// learnLead adapts the lead: early is how long before due the timer woke, and
// negative if it woke too late.
func (w *waiter) learnLead(early time.Duration) {
	if early < 0 {
		w.lead = min(w.lead+leadLost, maxLead)
	} else {
		w.lead = max(w.lead-leadWon, minLead)
	}
}

// waitWithin waits on the timer alone, so that the call is sent within Slack. Where
// others are due in that time, it sleeps until they are due too, and one wake-up serves
// all: workers then take the token one after the other without a sleep. Where none is, a
// longer sleep would gain nothing.
func (w *waiter) waitWithin(due, now time.Duration) time.Duration {
	latest := due + w.Slack
	until := due
	if spare := w.Slack - w.lead; w.meanGap <= spare {
		until += spare
	}
	now = w.waitAsleep(until, now)
	w.learnLead(latest - now)
	return now
}

// waitAsleep waits on the timer alone, in a loop, since a timer may wake early.
func (w *waiter) waitAsleep(due, now time.Duration) time.Duration {
	for ; now < due && w.stillWaits(due); now = w.Now() {
		w.timer.Sleep(due - now)
	}
	return now
}

// awaitReplies stays awake until the given time while calls are in flight.
func (w *waiter) awaitReplies(until, now time.Duration) time.Duration {
	for until-now > spinFor && w.inFlight() && !w.Stopping.Load() && !w.yielder.GivesWay() {
		w.yielder.Yield()
		now = w.Now()
	}
	return now
}
