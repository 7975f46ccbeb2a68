package loadgen

import (
	"fmt"
	"time"
)

// Wait says how an open loop waits for the next due time.
type Wait int

const (
	// WaitAwake waits for due times to within a few microseconds, and stays awake
	// while short calls are in flight, as a busy client does, so that their
	// replies are read at once. At 10,000 calls/s and more it takes most of a
	// core. While other programs want that core it waits as WaitQuiet does, since a
	// program that stays awake beside others gets its replies later than one that
	// sleeps. On systems other than Linux it is WaitSleep.
	WaitAwake Wait = iota
	// WaitQuiet sleeps on a kernel timer whenever nothing is due. It leaves the CPU
	// to others, and adds some 20-60 µs to lag and to response times. On systems
	// other than Linux it is WaitSleep.
	WaitQuiet
	// WaitSleep waits with the runtime's timers, which are up to 1 ms late for
	// waits of less than 1 ms. Fake time (testing/synctest) needs it, and the other
	// ways can be compared with it.
	WaitSleep
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
	awakeFor    = 150 * time.Microsecond // how long to stay awake for replies
	quickCallee = 200 * time.Microsecond // mean service from which on staying awake is not worth it
	spinFor     = 1500 * time.Nanosecond // from this close to due on, only the clock is read
)

// napper is what waiting needs of the platform.
type napper interface {
	// sleep waits for d, or until interrupt, on a timer.
	sleep(d time.Duration)
	// interrupt ends the sleep under way and all later ones, for good.
	interrupt()
	close()
}

// yielder is a napper that WaitAwake can use.
type yielder interface {
	// yield lets every other goroutine run that can, including those whose
	// sockets have become readable, and every other thread of this core.
	yield()
	// givesWay reports whether other programs want the CPU, so that it is
	// better not to stay awake for now.
	givesWay() bool
}

// wait waits until due and returns the time then. It returns earlier when the
// run is being stopped. Only the holder of the token calls it.
//
// It first stays awake for replies, if they come quickly; then sleeps until a lead
// before due, if that is long enough; and then yields until due. Whenever other
// programs turn out to want the CPU, it sleeps for the rest.
func (r *run) wait(due, now time.Duration) time.Duration {
	if r.yielder == nil || r.yielder.givesWay() {
		return r.waitAsleep(due, now)
	}
	long := due-now >= r.open.lead*leadWorth/2
	if r.open.meanService < quickCallee {
		now = r.awaitReplies(min(due, now+awakeFor), now)
	}
	if long && due-now > r.open.lead {
		r.napper.sleep(due - now - r.open.lead)
		now = r.now()
		r.learnLead(due - now)
	}
	for ; now < due && r.stillWaits(due); now = r.now() {
		if r.yielder.givesWay() {
			return r.waitAsleep(due, now)
		}
		if due-now > spinFor {
			r.yielder.yield()
		}
	}
	return now
}

// stillWaits reports whether the arrival is still to be waited for.
func (r *run) stillWaits(due time.Duration) bool {
	return !r.stopping.Load() && int64(due) < r.endEarly.Load()
}

// learnLead adapts the lead: early is how long before due the timer woke, and
// negative if it woke too late.
func (r *run) learnLead(early time.Duration) {
	if early < 0 {
		r.open.lead = min(r.open.lead+leadLost, maxLead)
	} else {
		r.open.lead = max(r.open.lead-leadWon, minLead)
	}
}

// waitAsleep waits on the timer alone, in a loop, since a timer may wake early.
func (r *run) waitAsleep(due, now time.Duration) time.Duration {
	for ; now < due && r.stillWaits(due); now = r.now() {
		r.napper.sleep(due - now)
	}
	return now
}

// awaitReplies stays awake until the given time while calls are in flight.
func (r *run) awaitReplies(until, now time.Duration) time.Duration {
	for until-now > spinFor && r.inFlight() > 0 && !r.stopping.Load() && !r.yielder.givesWay() {
		r.yielder.yield()
		now = r.now()
	}
	return now
}

// timerNapper waits with the runtime's timers.
type timerNapper struct {
	timer   *time.Timer
	stopped chan struct{}
}

func newTimerNapper() napper {
	return &timerNapper{timer: time.NewTimer(0), stopped: make(chan struct{})}
}

func (t *timerNapper) sleep(d time.Duration) {
	t.timer.Reset(d)
	select {
	case <-t.timer.C:
	case <-t.stopped:
	}
}

func (t *timerNapper) interrupt() { close(t.stopped) }
func (t *timerNapper) close()     { t.timer.Stop() }

// String returns awake, quiet or sleep.
func (w Wait) String() string {
	switch w {
	case WaitAwake:
		return "awake"
	case WaitQuiet:
		return "quiet"
	case WaitSleep:
		return "sleep"
	}
	return fmt.Sprintf("Wait(%d)", int(w))
}
