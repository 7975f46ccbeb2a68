// Package backlog counts the calls that are due and not yet sent.
package backlog

import (
	"cmp"
	"math"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/exact"
)

// Arrivals is the due times of a run, as in package loadgen.
type Arrivals interface {
	Next() (due time.Duration, ok bool)
}

// Lookahead counts the arrivals that are due, whether or not a worker has taken
// them. It draws them from arrivals of its own, started from the same schedule.
type Lookahead struct {
	arrivals Arrivals
	warmup   time.Duration
	End      time.Duration // arrivals due before it count
	calls    int64         // arrivals after the warm-up that may still be counted
	next     time.Duration // the arrival after those counted
	asked    bool          // next is set
	count    int64         // arrivals due so far
}

// Look returns a Lookahead at the arrivals that are due before the end, without more than
// calls after the warm-up; 0 is no bound on them.
func Look(a Arrivals, warmup, end time.Duration, calls int64) Lookahead {
	return Lookahead{arrivals: a, warmup: warmup, End: end, calls: cmp.Or(calls, math.MaxInt64)}
}

// Advance counts the arrivals that are due by now.
func (l *Lookahead) Advance(now time.Duration) {
	for !l.Over() {
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
			l.next = exact.Never
		}
		l.asked = true
	}
}

// Over reports whether all arrivals there are have been counted.
func (l *Lookahead) Over() bool { return l.calls <= 0 || l.next >= l.End }

// Backlog keeps how many arrivals were due and not yet sent, and for how long.
type Backlog struct {
	Lookahead
	MaxDepth  int64
	MaxLag    time.Duration
	lookedLag time.Duration // the largest at which depth was looked up
}

// Depth is the number of arrivals that are due and not sent. The latest taken is
// one of them: it is about to be sent or dropped. Those before it are not.
func (b *Backlog) Depth(now time.Duration, taken int64) int64 {
	b.Advance(now)
	return max(b.count-taken+1, 0)
}

// See notes a call sent late. The depth costs a look at the schedule, so it is
// looked up only when the lag is an eighth larger than at the last look, which it
// nearly never is. MaxDepth may therefore be a little less than the true maximum.
func (b *Backlog) See(lag, now time.Duration, taken int64) {
	b.MaxLag = max(b.MaxLag, lag)
	if lag > b.lookedLag+b.lookedLag/8 {
		b.MaxDepth = max(b.MaxDepth, b.Depth(now, taken))
		b.lookedLag = lag
	}
}
