package server

import (
	"context"
	"slices"
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

	// Planned is when calls were to end, in the order in which they ended, and Late how much
	// later they did: what the machine did to the server.
	Planned []time.Duration `json:"planned_ns"`
	Late    []time.Duration `json:"late_ns"`
}

// LateBut is how much later than planned calls ended, without what a stop of the process took.
func (s *Seen) LateBut(stood planted.Window) []time.Duration {
	late := slices.Clone(s.Late)
	for i, p := range s.Planned {
		late[i] -= stood.Leave(p) - p
	}
	return late
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

// roomFor is for how many calls there is memory before the run, so that growing stops none.
const roomFor = 1 << 18

// begin has the calls that arrive from now on be those of the run. The ones before got
// right answers after the plan's Base.
func (l *ledger) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = l.plan.Start()
	room := func() []time.Duration { return make([]time.Duration, 0, roomFor) }
	l.seen = Seen{Arrivals: room(), Planned: room(), Late: room()}
}

// arrived is a call that has arrived.
type arrived struct {
	planted.Answer      // by the alarm's clock
	counts         bool // it belongs to the run
}

// arrive takes a call that has just arrived.
func (l *ledger) arrive() (a arrived) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.alarm.now()
	if l.calls == nil {
		return arrived{Answer: planted.Answer{At: now + l.plan.Base}}
	}
	if len(l.seen.Arrivals) == 0 {
		l.start, l.seen.First = now, l.alarm.start.Add(now)
		go l.first(l.seen.First)
	}
	l.seen.Arrivals = append(l.seen.Arrivals, now-l.start)
	a = arrived{l.calls.Next(now - l.start), true}
	a.At += l.start
	return a
}

// end waits until a call is to be answered and says how. A call whose caller has gone away
// by then is a drop.
func (l *ledger) end(ctx context.Context, a arrived) planted.Outcome {
	l.alarm.sleep(a.At)
	if ctx.Err() != nil {
		a.Outcome = planted.Drop
	}
	if a.counts {
		l.count(a.Answer)
	}
	return a.Outcome
}

// count counts a call that ends now.
func (l *ledger) count(a planted.Answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen.Planned = append(l.seen.Planned, a.At-l.start)
	l.seen.Late = append(l.seen.Late, l.alarm.now()-a.At)
	switch a.Outcome {
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
