package server

import (
	"context"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
)

// Seen is what a server saw of a run.
type Seen struct {
	First    time.Time       `json:"first"`       // when the first call arrived
	Arrivals []time.Duration `json:"arrivals_ns"` // of each call, from the first on

	Failures    int64 `json:"failures"`     // calls that got an error
	OtherBodies int64 `json:"other_bodies"` // calls that got a wrong body
	Unanswered  int64 `json:"unanswered"`   // calls that got no answer, dropped ones among them
}

// Failed is the number of calls that did not get a right answer.
func (s *Seen) Failed() int64 { return s.Failures + s.OtherBodies + s.Unanswered }

// ledger counts calls and says how each is to end.
type ledger struct {
	alarm *alarm
	plan  planted.Plan
	first func(time.Time) // is told of the first call

	mu    sync.Mutex
	calls *planted.Calls // nil before the run
	start time.Duration  // when the first call of the run arrived
	seen  Seen
}

// begin has the calls that arrive from now on be those of the run. The ones before got
// right answers after the plan's Base.
func (l *ledger) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = l.plan.Start()
	l.seen = Seen{Arrivals: make([]time.Duration, 0, 1<<18)}
}

// call takes a call that has just arrived, waits until it is to be answered and says how. A
// call whose caller has gone away by then is a drop.
func (l *ledger) call(ctx context.Context) planted.Outcome {
	answer, counts := l.arrive()
	l.alarm.sleep(answer.At)
	if ctx.Err() != nil {
		answer.Outcome = planted.Drop
	}
	if counts {
		l.count(answer.Outcome)
	}
	return answer.Outcome
}

// arrive returns the answer to a call, by the alarm's clock, and whether the call belongs
// to the run.
func (l *ledger) arrive() (a planted.Answer, counts bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.alarm.now()
	if l.calls == nil {
		return planted.Answer{At: now + l.plan.Base}, false
	}
	if len(l.seen.Arrivals) == 0 {
		l.start, l.seen.First = now, l.alarm.start.Add(now)
		go l.first(l.seen.First)
	}
	l.seen.Arrivals = append(l.seen.Arrivals, now-l.start)
	a = l.calls.Next(now - l.start)
	a.At += l.start
	return a, true
}

func (l *ledger) count(o planted.Outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch o {
	case planted.Failure:
		l.seen.Failures++
	case planted.OtherBody:
		l.seen.OtherBodies++
	case planted.Drop:
		l.seen.Unanswered++
	}
}

// report returns what was seen so far.
func (l *ledger) report() Seen {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen
}
