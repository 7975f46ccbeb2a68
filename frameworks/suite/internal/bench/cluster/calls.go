package cluster

import (
	"context"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/loadgen"
)

// outcome is what became of a call.
type outcome struct {
	due    time.Time
	took   time.Duration // from when it was due; of a call that did not return, until the end of the run
	failed bool
}

// noted are the calls of a run.
type noted struct {
	restore func() // has the load make calls that are not noted

	mu   sync.Mutex
	list []outcome
	due  []time.Time // of the call that each worker makes; zero if it makes none
}

// noteCalls notes the calls that a load makes in a run.
func noteCalls(l *load.Local, cfg *loadgen.Config) *noted {
	n := &noted{due: make([]time.Time, cfg.Workers)}
	call := l.Call
	n.restore = func() { l.Call = call }
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

func (n *noted) done(worker int, failed bool) {
	now := time.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	due := n.due[worker]
	n.list = append(n.list, outcome{due, now.Sub(due), failed})
	n.due[worker] = time.Time{}
}

// outcomes returns what became of all calls. Those that have not returned count as failed.
func (n *noted) outcomes() []outcome {
	now := time.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.list
	for _, due := range n.due {
		if !due.IsZero() {
			list = append(list, outcome{due, now.Sub(due), true})
		}
	}
	return list
}

// lastDue returns when the last of the calls was due.
func lastDue(list []outcome) (last time.Time) {
	for _, o := range list {
		if o.due.After(last) {
			last = o.due
		}
	}
	return last
}

// suffered counts the calls that were due while a server was down.
type suffered struct {
	due, failed, late int       // late ones took longer than a time
	last              time.Time // when the last was due that failed or was late; zero if none was
}

// suffer counts the calls that were due from one time until another.
func suffer(list []outcome, from, until time.Time, late time.Duration) (s suffered) {
	for _, o := range list {
		if o.due.Before(from) || !o.due.Before(until) {
			continue
		}
		s.due++
		switch {
		case o.failed:
			s.failed++
		case o.took > late:
			s.late++
		default:
			continue
		}
		if o.due.After(s.last) {
			s.last = o.due
		}
	}
	return s
}

// percent is the share of the calls that failed or were late.
func (s suffered) percent() float64 { return 100 * float64(s.failed+s.late) / float64(max(s.due, 1)) }

// quiet is the last part of the time for which a server was down in which no call may fail or
// be late, if the server is to count as left.
const quiet = .1

// left returns after which time no call failed or was late any more. It is not known if that
// went on to the end.
func (s suffered) left(from, until time.Time) (after time.Duration, known bool) {
	if s.last.IsZero() {
		return 0, true
	}
	after = s.last.Sub(from)
	return after, float64(until.Sub(s.last)) >= quiet*float64(until.Sub(from))
}
