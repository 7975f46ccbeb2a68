package ledger

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/bank"
	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
)

// Ledger is what package carrier calls so.
type Ledger struct {
	clock      *Clock
	book       *Book
	recent     atomic.Int64 // ns: service of some recent message
	unanswered atomic.Int64
}

// Open makes l the ledger of a run.
func (l *Ledger) Open(c *Clock, b *Book) { l.clock, l.book = c, b }

// Recent is the service of some recent message.
func (l *Ledger) Recent() time.Duration { return time.Duration(l.recent.Load()) }

// Left is how many messages were Unanswered, those of the warm-up too.
func (l *Ledger) Left() int64 { return l.unanswered.Load() }

// Clock is the time of the run.
func (l *Ledger) Clock() *Clock { return l.clock }

// Fail counts a message that failed.
func (l *Ledger) Fail(err error, due, sent, at time.Duration) {
	if due < l.book.Warm {
		return
	}
	s := l.shard(int(due))
	s.Service.Record(bucket.Of(at - sent))
	s.Lag.Record(bucket.Of(sent - due))
	l.book.Failures.Add(err, at-due, l.book.StepOf(l.clock.Now()))
	StoreMax(&l.book.LastDone, int64(at))
}

// Unanswered counts a message that was under way when Drain was over.
func (l *Ledger) Unanswered(due, at time.Duration) {
	l.unanswered.Add(1)
	if due < l.book.Warm {
		return
	}
	l.book.Failures.Add(errUnanswered, at-due, l.book.StepOf(at))
	StoreMax(&l.book.LastDone, int64(at))
}

var errUnanswered = errors.New("no answer before the end of the run")

// Drop counts a message that was never sent.
func (l *Ledger) Drop(due time.Duration) {
	if due >= l.book.Warm {
		l.book.NotMade.Add(1)
	}
}

// Blocked counts for how long a message was held up.
func (l *Ledger) Blocked(queue int, due, blocked time.Duration) {
	if due >= l.book.Warm {
		l.shard(queue).Blocked.Record(bucket.Of(blocked))
	}
}

// shard spreads numbers over the shards, without a division.
func (l *Ledger) shard(i int) *bank.Shard {
	spread := uint64(uint32(i) * 2654435769) // 2^32 over the golden ratio
	return l.book.Shards[spread*uint64(len(l.book.Shards))>>32]
}

// Recorder is what package carrier calls so.
type Recorder struct {
	l        *Ledger
	shard    *bank.Shard
	bank     *bank.Bank    // of the shard, for the answers that arrive now
	boundary time.Duration // when others begin
	last     time.Duration // when the last answer arrived
	answers  uint8         // modulo 256
}

// Answered counts a message that was answered.
func (c *Recorder) Answered(l *Ledger, receiver int, due, sent, at time.Duration) {
	if c.l != l {
		*c = Recorder{l: l, shard: l.shard(receiver)}
	}
	if c.answers++; c.answers%16 == 1 {
		l.recent.Store(int64(at - sent))
	}
	c.last = max(c.last, at)
	if due < l.book.Warm {
		return
	}
	if at >= c.boundary {
		step := l.book.StepOf(at)
		c.boundary, c.bank = l.book.StepEnd(step), &c.shard.Response[step%bank.Steps]
	}
	c.bank.Record(bucket.Of(at - due))
	c.shard.Service.Record(bucket.Of(at - sent))
	c.shard.Lag.Record(bucket.Of(sent - due))
}

// Close makes the last answer count for the end of the run.
func (c *Recorder) Close(l *Ledger) {
	if c.l == l {
		StoreMax(&l.book.LastDone, int64(c.last))
	}
}
