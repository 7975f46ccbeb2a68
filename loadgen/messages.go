package loadgen

import (
	"runtime"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/carrier"
	"github.com/rpcbench/rpcbench/loadgen/internal/ledger"
)

// messages is the driver of a run whose calls are the messages of a carrier.
type messages struct {
	*run
	carrier carrier.Carrier
	ledger  ledger.Ledger
}

// sizes implements driver. Messages are counted by more goroutines than there are procs,
// but in passing: fewer shards stay in the caches. Workers are mostly needed while Sends
// are blocked. Thousands of goroutines that do nothing would still cost every collection
// of garbage tens of milliseconds, in which calls are late.
func (c *messages) sizes() (recorders, atFirst int) {
	return min(c.Workers, runtime.GOMAXPROCS(0)), min(c.Workers, fewWorkers)
}

const fewWorkers = 64

func (c *messages) begin() {
	c.ledger.Open(&c.Clock, &c.recording.Book)
	c.pacing.inFlight = func() bool { return c.carrier.Waiting() || c.workersInCalls() }
	c.carrier.Begin((*carrier.Ledger)(&c.ledger))
}

// loop does what that of openCalls does, with messages. They are accepted while the worker
// holds the token, and so in the order in which they are due. A worker that has nothing to
// send keeps the token.
func (c *messages) loop(w *worker) {
	now, queue, m := time.Duration(-1), -1, carrier.Message{}
	for claimed := true; claimed; {
		waited := c.pacing.token.Lock(w.last)
		if waited || now < 0 {
			now = c.Now()
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
				m.Sent = c.Now()
			}
			now = c.carrier.Send(queue, m)
			w.last, w.service = now, c.ledger.Recent()
		}
	}
}

func (c *messages) overdue(since time.Duration) (bool, error) { return c.pacing.overdue(since), nil }

func (c *messages) idle() bool { return c.carrier.Idle() }

// abandon gives messages under way the time that calls have when Drain is over.
func (c *messages) abandon() {
	for end := c.Now() + endGrace; c.Now() < end && !c.carrier.Idle(); {
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
	c.recording.unfinished += c.ledger.Left()
	return sending == 0 && c.pool.running.Load() == 0
}
