// Package carrier makes loads of messages whose answers arrive elsewhere than where they were
// sent. It is for those who add a protocol to package loadgen that does not fit package streams,
// which itself is made of it: one request brings many answers, or one message goes to many
// receivers.
//
// [loadgen.RunCarrier] makes an open loop of the messages of a [Carrier], and says when each
// is due. The carrier sends it, and tells the run's [Ledger] once what became of it: it was
// answered, see [Recorder], or has failed, was dropped, or is left without an answer. Of
// these calls only those of failures allocate memory.
//
// [loadgen.RunCarrier]: https://pkg.go.dev/github.com/rpcbench/rpcbench/loadgen#RunCarrier
package carrier

import (
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/ledger"
)

// Message is a call of a [Carrier]. Its times are offsets from where the clock of
// its run began, with the warm-up.
type Message struct {
	Number int64         // counts the arrivals of this process by due time, from 0, without those of other ranks
	Due    time.Duration // when the schedule asked for it
	Sent   time.Duration // when a worker handed it to the carrier
}

// Carrier sends messages and receives their answers. It tells a Ledger once what became of
// each message that it accepted.
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
// goroutine. Messages of the warm-up are told as well, and not counted. A run makes it, and
// gives it to Begin: a zero Ledger is of no use.
type Ledger ledger.Ledger

// Begun is closed when the clock of the run begins, after Begin has returned.
func (l *Ledger) Begun() <-chan struct{} { return l.own().Clock().Begun }

// Now is the time since the clock of the run began; it must not be asked before.
func (l *Ledger) Now() time.Duration { return l.own().Clock().Now() }

// Stopping reports whether messages that wait in queues are not to be sent any
// more, because the run was cancelled or Drain is over.
func (l *Ledger) Stopping() bool { return l.own().Clock().Stopping.Load() }

// Fail tells that a message failed at a time, by an error of its own or that of its
// stream.
func (l *Ledger) Fail(err error, due, sent, at time.Duration) { l.own().Fail(err, due, sent, at) }

// Unanswered tells that a message was under way when Drain was over.
func (l *Ledger) Unanswered(due, at time.Duration) { l.own().Unanswered(due, at) }

// Drop tells that a message was never sent.
func (l *Ledger) Drop(due time.Duration) { l.own().Drop(due) }

// Blocked tells for how long flow control held a message: from when it was handed to
// the carrier to when it was sent. Queues that share a number count in one place.
func (l *Ledger) Blocked(queue int, due, blocked time.Duration) {
	l.own().Blocked(queue, due, blocked)
}

func (l *Ledger) own() *ledger.Ledger { return (*ledger.Ledger)(l) }

// Recorder counts the answers that one goroutine receives. The zero value is ready
// to use, and belongs to no run.
type Recorder ledger.Recorder

// Answered tells that the answer to a message arrived at a time. The receiver's number
// chooses the place where it counts.
func (r *Recorder) Answered(l *Ledger, receiver int, due, sent, at time.Duration) {
	(*ledger.Recorder)(r).Answered(l.own(), receiver, due, sent, at)
}

// Close makes the last answer count for the end of the run. End calls it for every
// Recorder that may have been used.
func (r *Recorder) Close(l *Ledger) { (*ledger.Recorder)(r).Close(l.own()) }
