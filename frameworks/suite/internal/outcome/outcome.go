// Package outcome notes what became of each call of a run, so that what a server's failure did
// is told in calls.
package outcome

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Outcome is what became of a call.
type Outcome struct {
	Due    time.Time     // in a closed loop when it was sent
	Took   time.Duration // from then on; of a call that did not return, until the end of the run
	Failed bool
}

// Noted are the calls of a run.
type Noted struct {
	Restore func() // has the load make calls that are not noted

	mu   sync.Mutex
	list []Outcome
	due  []time.Time // of the call that each worker makes; zero if it makes none
}

// Note notes the calls that a load makes in a run of cfg.
func Note(l *load.Local, cfg *loadgen.Config) *Noted {
	n := &Noted{due: make([]time.Time, cfg.Workers)}
	call := l.Call
	n.Restore = func() { l.Call = call }
	l.Call = func(ctx context.Context, worker int) error {
		err := call(ctx, worker)
		n.done(worker, err != nil)
		return err
	}
	cfg.OnCall = func(worker int, a loadgen.Arrival) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.due[worker] = a.Due
	}
	return n
}

func (n *Noted) done(worker int, failed bool) {
	now := time.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	due := n.due[worker]
	n.list = append(n.list, Outcome{due, now.Sub(due), failed})
	n.due[worker] = time.Time{}
}

// List returns what became of all calls. Those that have not returned count as failed.
func (n *Noted) List() []Outcome {
	now := time.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.list
	for _, due := range n.due {
		if !due.IsZero() {
			list = append(list, Outcome{due, now.Sub(due), true})
		}
	}
	return list
}

// LastDue returns when the last of the calls was due.
func LastDue(list []Outcome) (last time.Time) {
	for _, o := range list {
		if o.Due.After(last) {
			last = o.Due
		}
	}
	return last
}

// deadline is how long calls are waited for that have no timeout.
const deadline = 250 * time.Millisecond

// Deadline is the time that each call has where a server fails: a timeout, or if that is 0
// 250 ms, since nobody waits for a frozen server for ever.
func Deadline(timeout time.Duration) time.Duration { return cmp.Or(timeout, deadline) }

// Suffered counts the calls that were under way when a server failed, or were due while it was
// down.
type Suffered struct {
	All, Failed, Late int

	late        time.Duration // calls are late that took longer
	from, until time.Time     // the server was down
	last        time.Time     // when the last was due that failed or was late; zero if none was
}

// Suffer counts the calls for a server that was down from one time until another. Calls are
// late that take more than half of the deadline.
func Suffer(list []Outcome, from, until time.Time, deadline time.Duration) Suffered {
	s := Suffered{from: from, until: until, late: deadline / 2}
	for _, o := range list {
		if o.Due.Add(o.Took).Before(from) || !o.Due.Before(until) {
			continue
		}
		s.All++
		switch {
		case o.Failed:
			s.Failed++
		case o.Took > s.late:
			s.Late++
		default:
			continue
		}
		if o.Due.After(s.last) {
			s.last = o.Due
		}
	}
	return s
}

// quiet is the last part of the time for which a server was down in which no call may fail or
// be late, if the server is to count as left.
const quiet = .1

// Left returns how long after the failure calls were due that failed or were late. It is not
// known if that went on to the end.
func (s Suffered) Left() (after time.Duration, known bool) {
	if s.last.IsZero() {
		return 0, true
	}
	return max(s.last.Sub(s.from), 0), float64(s.until.Sub(s.last)) >= quiet*float64(s.until.Sub(s.from))
}

// Metrics are the counts.
func (s Suffered) Metrics() []loadbench.Metric {
	return []loadbench.Metric{
		{Value: float64(s.Failed), Unit: "failed-calls"},
		{Value: float64(s.Late), Unit: "late-calls"},
		{Value: 100 * float64(s.Failed+s.Late) / float64(max(s.All, 1)), Unit: "suffered-%"},
	}
}

// Unknown says why it is not known when a server was left, in the form of a missing figure;
// "" if it is known.
func (s Suffered) Unknown(server int) string {
	if _, known := s.Left(); known {
		return ""
	}
	return fmt.Sprintf("of when server %d was left: to the end of the %v in which it was down, calls failed or took more than %v",
		server, s.until.Sub(s.from).Round(time.Millisecond), s.late)
}

// String tells the counts in a sentence.
func (s Suffered) String() string {
	return fmt.Sprintf("of %d calls from then on, %d failed and %d took more than %v", s.All, s.Failed, s.Late, s.late)
}
