package loadgen

import (
	"errors"
	"runtime"
	"sync/atomic"
	"time"
)

// Message is a call of a [Carrier]. Its times are offsets from where the clock of
// its run began, with the warm-up.
type Message struct {
	Number int64         // counts the arrivals of this process by due time, from 0, without those of other ranks
	Due    time.Duration // when the schedule asked for it
	Sent   time.Duration // when a worker handed it to the carrier
}

// Carrier makes calls whose end is seen elsewhere than where they began, as
// messages over streams are: one goroutine sends them and another receives the
// answers. It tells a Ledger once what became of each message that it accepted.
// Package streams has a Carrier for any Send and Recv.
type Carrier interface {
	// Begin is called once, before the first message.
	Begin(l *Ledger)
	// Accept takes a message into one of the carrier's queues. It is called in order
	// of due times, for one message at a time, and holds up all others until it
	// returns. If nobody sends from that queue, Accept returns the queue, and the worker
	// calls Send with it and at once. Else it returns -1.
	Accept(m Message) (queue int)
	// Send sends m, and then what else is in the queue, until that is empty. It may
	// block. It returns the time after the last, by the ledger's clock.
	Send(queue int, m Message) time.Duration
	// Waiting reports whether the message accepted last has not been answered yet.
	Waiting() bool
	// Idle reports whether the ledger knows what became of every message accepted. It
	// is asked after the last message was accepted.
	Idle() bool
	// End tells the ledger what became of the messages that are left. After it the
	// carrier tells the ledger nothing. End returns the number of calls of Send, of
	// earlier runs as well, that have not returned.
	End() (sending int)
}

// Ledger is where a [Carrier] tells what became of its messages, from any
// goroutine. Messages of the warm-up are told as well, and not counted.
type Ledger struct {
	course     *course
	recording  *recording
	recent     atomic.Int64 // ns: service of some recent message
	unanswered atomic.Int64
}

// Begun is closed when the clock of the run begins, after Begin has returned.
func (l *Ledger) Begun() <-chan struct{} { return l.course.begun }

// Now is the time since the clock of the run began; it must not be asked before.
func (l *Ledger) Now() time.Duration { return l.course.now() }

// Stopping reports whether messages that wait in queues are not to be sent any
// more, because the run was cancelled or Drain is over.
func (l *Ledger) Stopping() bool { return l.course.stopping.Load() }

// Fail tells that a message failed at a time, by an error of its own or that of its
// stream.
func (l *Ledger) Fail(err error, due, sent, at time.Duration) {
	if due < l.recording.warmup {
		return
	}
	s := l.shard(int(due))
	s.service.record(bucketOf(at - sent))
	s.lag.record(bucketOf(sent - due))
	l.recording.failures.add(err, at-due, l.recording.stepOf(l.course.now()))
	storeMax(&l.recording.lastDone, int64(at))
}

// Unanswered tells that a message was under way when Drain was over.
func (l *Ledger) Unanswered(due, at time.Duration) {
	l.unanswered.Add(1)
	if due < l.recording.warmup {
		return
	}
	l.recording.failures.add(errUnanswered, at-due, l.recording.stepOf(at))
	storeMax(&l.recording.lastDone, int64(at))
}

var errUnanswered = errors.New("no answer before the end of the run")

// Drop tells that a message was never sent.
func (l *Ledger) Drop(due time.Duration) {
	if due >= l.recording.warmup {
		l.recording.notMade.Add(1)
	}
}

// Blocked tells for how long flow control held a message: from when it was handed to
// the carrier to when it was sent. Queues that share a number count in one place.
func (l *Ledger) Blocked(queue int, due, blocked time.Duration) {
	if due >= l.recording.warmup {
		l.shard(queue).blocked.record(bucketOf(blocked))
	}
}

// shard spreads numbers over the shards, without a division.
func (l *Ledger) shard(i int) *shard {
	spread := uint64(uint32(i) * 2654435769) // 2^32 over the golden ratio
	return l.recording.shards[spread*uint64(len(l.recording.shards))>>32]
}

// Recorder counts the answers that one goroutine receives. The zero value is ready
// to use, and belongs to no run.
type Recorder struct {
	l        *Ledger
	shard    *shard
	bank     *bank         // of the shard, for the answers that arrive now
	boundary time.Duration // when others begin
	last     time.Duration // when the last answer arrived
	answers  uint8         // modulo 256
}

// Answered tells that the answer to a message arrived at a time. The receiver's number
// chooses the place where it counts.
func (c *Recorder) Answered(l *Ledger, receiver int, due, sent, at time.Duration) {
	if c.l != l {
		*c = Recorder{l: l, shard: l.shard(receiver)}
	}
	if c.answers++; c.answers%16 == 1 {
		l.recent.Store(int64(at - sent))
	}
	c.last = max(c.last, at)
	if due < l.recording.warmup {
		return
	}
	if at >= c.boundary {
		step := l.recording.stepOf(at)
		c.boundary, c.bank = l.recording.stepEnd(step), &c.shard.response[step%numBanks]
	}
	c.bank.record(bucketOf(at - due))
	c.shard.service.record(bucketOf(at - sent))
	c.shard.lag.record(bucketOf(sent - due))
}

// Close makes the last answer count for the end of the run. End calls it for every
// Recorder that may have been used.
func (c *Recorder) Close(l *Ledger) {
	if c.l == l {
		storeMax(&l.recording.lastDone, int64(c.last))
	}
}

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
func (c *messages) sizes() (recorders, atFirst int) {
	return min(c.Workers, runtime.GOMAXPROCS(0)), min(c.Workers, fewWorkers)
}

const fewWorkers = 64

func (c *messages) begin() {
	c.ledger.course, c.ledger.recording = &c.course, &c.recording
	c.pacing.inFlight = func() bool { return c.carrier.Waiting() || c.workersInCalls() }
	c.carrier.Begin(&c.ledger)
}

// loop does what that of openCalls does, with messages. They are accepted while the worker
// holds the token, and so in the order in which they are due. A worker that has nothing to
// send keeps the token.
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
