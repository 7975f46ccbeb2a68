package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
	"github.com/rpcbench/rpcbench/loadgen/streams"
)

// Beyond the capacity users give up: without -call-timeout after givesUp times the latency
// of the objective. A call that has waited that long to be sent is not sent any more.
const givesUp = 4

// full is the percentage of the capacity beyond which a line is an overload.
const full = 100

// overload follows a line of Load, at any percentage: which work of the server was wasted,
// and beyond the capacity how long it takes to recover.
type overload struct {
	*rig.Round
	at       func(rate float64) loadgen.Schedule
	slo      slo
	capacity float64 // calls per second
	beyond   bool
	timeout  time.Duration  // of a call; 0 for none
	began    time.Time      // when the run began
	handled  int64          // calls that the server had handled before the run
	unknown  error          // why these are not known
	after    sync.WaitGroup // for the recovery, which is below
	met      time.Time      // when the objective was met again
	later    int64          // replies that were counted meanwhile
	failed   error          // why it was not met
}

// newOverload makes cfg, of a round, the one of a line at a percentage of the capacity.
func newOverload(r *rig.Round, l loadLeaf, capacity float64, cfg *loadgen.Config) *overload {
	o := &overload{Round: r, at: l.at, slo: l.slo, capacity: capacity, beyond: l.percent > full, timeout: cfg.Timeout}
	if r.Rig.Load.Smoke() { // see capacityLeaf.find
		o.slo.latency = time.Minute
	}
	o.handled, o.unknown = server.Tally(context.Background(), r.Running, server.Counter.Handled)
	if !o.beyond {
		return o
	}
	if o.timeout == 0 {
		o.timeout = givesUp * o.slo.latency
	}
	r.Excuse, r.Probe.Callers = "beyond the capacity", 0
	cfg.Timeout, cfg.MaxLag = o.timeout, o.timeout
	started, stopped := cfg.OnStart, cfg.OnStop
	cfg.OnStart = func() {
		started()
		o.began = time.Now()
	}
	// A server that is busy takes seconds to tell its figures. Calls come meanwhile, or it
	// would recover at rest; what it allocates for them counts for the line.
	// Streams have one run at a time, which ends after OnStop.
	cfg.OnStop = func() {
		if o.streams() {
			stopped()
			return
		}
		o.after.Go(o.recover)
		stopped()
	}
	return o
}

// streams reports whether a run must have ended before the next one begins.
func (o *overload) streams() bool {
	l, here := o.Load.(*load.Local)
	return here && l.Runs != nil
}

// wait returns when the server has recovered, or is lost.
func (o *overload) wait() {
	if o.beyond && o.streams() {
		o.recover()
	}
	o.after.Wait()
}

// lost reports whether the server has not recovered.
func (o *overload) lost() bool { return o.failed != nil }

// add adds to a run what followed it. schedule is that of the run.
func (o *overload) add(m *load.Measured, schedule loadgen.Schedule) {
	if o.beyond {
		m.Warnings = slices.DeleteFunc(m.Warnings, ofOverload)
		m.Doubts = append(m.Doubts, o.doubts(*m)...)
		if o.failed != nil {
			m.Doubts = append(m.Doubts, o.failed.Error())
		}
		took := o.met.Sub(o.began.Add(lastDue(schedule, m.Due)))
		m.More = append(m.More, loadbench.Metric{Value: float64(max(took, 0)), Unit: "recover-ns"})
	}
	wasted, err := o.wasted(m.OK+o.later, o.later)
	switch {
	case err == nil:
		m.More = append(m.More, loadbench.Metric{Value: 100 * wasted, Unit: "wasted-%"})
	case !errors.Is(err, errors.ErrUnsupported):
		m.Doubts = append(m.Doubts, fmt.Sprintf("wasted work is not known: %v", err))
	}
}

// ofOverload reports whether a warning says what an overload is.
func ofOverload(w error) bool {
	return slices.ContainsFunc([]error{loadgen.ErrDropped, loadgen.ErrBehind, loadgen.ErrAllFailed, streams.ErrLate}, func(kind error) bool { return errors.Is(w, kind) })
}

// doubts says why the server may not have been what was overloaded.
func (o *overload) doubts(m load.Measured) (list []string) {
	if m.Dropped > 0 && m.Failed == 0 {
		list = append(list, fmt.Sprintf("the server answered every call that it was sent within %v, and the others waited in the client: -workers=%d are too few to overload it", o.timeout, o.Workers))
	}
	if starved := o.Probe.Starved(m); starved != "" {
		list = append(list, "the server was not overloaded: "+starved)
	}
	return list
}

// lastDue returns when the last of the calls of a schedule is due.
func lastDue(s loadgen.Schedule, calls int64) (due time.Duration) {
	arrivals := s.Start()
	for range calls {
		next, ok := arrivals.Next()
		if !ok {
			break
		}
		due = next
	}
	return due
}

// The load after an overload, and how long it is looked at.
const (
	restingShare = .5 // of the capacity
	recoverFor   = 10 * time.Second
)

// recover offers restingShare of the capacity until calls are answered within the
// objective again.
func (o *overload) recover() {
	c := &recovery{slo: o.slo}
	cfg, began := o.Config(), time.Now()
	watch := cfg.OnProgress
	cfg.Timeout, cfg.MaxLag = o.timeout, o.timeout
	cfg.Schedule, cfg.Duration, cfg.Interval = o.at(max(o.capacity*restingShare, 1)), recoverFor, recoveryStep
	cfg.OnStart, cfg.OnStop = func() { began = time.Now() }, nil
	cfg.OnProgress = func(p loadgen.Progress) error {
		if c.see(p.Last, p.Responses) {
			return loadgen.ErrEnough
		}
		return watch(p)
	}
	result, err := o.Load.Loads(context.Background(), cfg)
	if result != nil {
		o.later = result.OK
	}
	o.met, o.failed = began.Add(c.since), err
	if err == nil && !c.recovered() {
		o.met, o.failed = time.Now(), fmt.Errorf("the server has not recovered: %v after the overload, at half of the capacity, %s was not met", recoverFor, o.slo.name)
	}
}

// recovery looks for the moment from which on an objective is met.
type recovery struct {
	slo   slo
	since time.Duration // the start of the first of the good intervals
	good  int           // successive intervals that met the objective
}

// A recovery is a number of successive intervals of this length that meet the objective.
const (
	recoveryStep = 10 * time.Millisecond
	enoughGood   = 3
)

// see takes the next interval, and reports whether the objective is met for good. An
// interval in which no call ended says nothing.
func (c *recovery) see(p loadgen.Point, responses *loadgen.Histogram) bool {
	calls := p.OK + p.Failed
	switch {
	case calls == 0:
	case float64(p.Failed) > maxErrors*float64(calls) || responses.Quantile(c.slo.quantile) > c.slo.latency:
		c.good = 0
	default:
		if c.good == 0 {
			c.since = p.Start
		}
		c.good++
	}
	return c.recovered()
}

func (c *recovery) recovered() bool { return c.good >= enoughGood }

// Calls that nobody waits for may be under way on the server. They are counted until
// their number stands still for settleStep.
const (
	settleStep  = 10 * time.Millisecond
	settleSteps = 200
)

// wasted returns the share of the calls handled since the overload began whose reply no
// caller counted. answered are the replies that were counted, later those of them that came
// after the overload, which are not a part of it.
func (o *overload) wasted(answered, later int64) (share float64, err error) {
	if o.unknown != nil {
		return 0, o.unknown
	}
	var handled int64
	for before, step := int64(-1), 0; handled != before && step < settleSteps; step++ {
		time.Sleep(settleStep)
		now, err := server.Tally(context.Background(), o.Running, server.Counter.Handled)
		if err != nil {
			return 0, err
		}
		before, handled = handled, now-o.handled
	}
	if handled < answered {
		return 0, fmt.Errorf("%d replies were counted and %d calls handled: the handlers of %s do not count all calls", answered, handled, o.ID())
	}
	return float64(handled-answered) / float64(max(handled-later, 1)), nil
}
