package loadgen

import (
	"runtime"
	"time"
)

// messages is the driver of a run whose calls are the messages of a carrier.
type messages struct {
	*run
	carrier Carrier
	ledger  Ledger
}

// sizes implements driver. Messages are counted by more goroutines than there are procs,
// but in passing: fewer shards stay in the caches. Workers are mostly needed while Sends
// are blocked. Thousands of goroutines that do nothing would still cost every collection
// of garbage tens of milliseconds, in which calls are late.
func (c *messages) sizes() (counting, atFirst int) {
	return min(c.Workers, runtime.GOMAXPROCS(0)), min(c.Workers, fewWorkers)
}

const fewWorkers = 64

func (c *messages) begin() {
	c.ledger.course, c.ledger.recording = &c.course, &c.recording
	c.pacing.inFlight = func() bool { return c.carrier.Waiting() || c.workersInCalls() }
	c.carrier.Begin(&c.ledger)
}

// loop is that of openCalls for messages. They are accepted while the worker holds the
// token, and so in the order in which they are due. A worker that has nothing to send
// keeps the token.
func (c *messages) loop(w *worker) {
	now, queue, m := time.Duration(-1), -1, Message{}
	for claimed := true; claimed; {
		waited := c.pacing.token.Lock(w.last)
		if waited || now < 0 {
			now = c.now()
		}
		w.holdsToken = true
		for queue = -1; claimed && queue < 0; now, waited = m.Sent, false {
			if m.Due, m.Sent, claimed = c.pacing.claim(w, now, waited); claimed {
				m.Number = c.pacing.open.taken - 1 // not the run's, which may leave out every other stream
				queue = c.carrier.Accept(m)
			}
		}
		w.holdsToken = false
		woke := c.pacing.token.Unlock()
		if queue >= 0 {
			if c.pacing.token.Parked.Load() == 0 { // else nobody would wait for the next message while this one is sent
				c.pool.start()
			}
			if woke {
				m.Sent = c.now()
			}
			now = c.carrier.Send(queue, m)
			w.last, w.service = now, time.Duration(c.ledger.recent.Load())
		}
	}
}

func (c *messages) overdue(since time.Duration) (bool, error) { return c.pacing.overdue(since), nil }

func (c *messages) idle() bool { return c.carrier.Idle() }

// abandon gives messages under way the time that calls have when Drain is over.
func (c *messages) abandon() {
	for end := c.now() + endGrace; c.now() < end && !c.carrier.Idle(); {
		time.Sleep(time.Millisecond)
	}
}

// finish has the carrier tell of what is left. No more is accepted: either all
// workers have ended, or the run was stopped, and those that take the token see that.
// Workers that are in no Send end in a moment.
func (c *messages) finish() (free bool) {
	locked := c.pacing.token.TryLock()
	for tries := 0; !locked && tries < 1000; tries++ {
		time.Sleep(time.Millisecond)
		locked = c.pacing.token.TryLock()
	}
	sending := int64(c.carrier.End())
	if locked {
		c.pacing.token.Unlock()
	}
	waitForFew(&c.pool.running, sending)
	c.recording.unfinished += c.ledger.unanswered.Load()
	return sending == 0 && c.pool.running.Load() == 0
}
