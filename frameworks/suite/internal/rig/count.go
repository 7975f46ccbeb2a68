package rig

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// count is what a call of Echo costs besides time. It is measured alone, for a gate that
// needs no times.
func count() *plan.Benchmark {
	return &plan.Benchmark{Name: "Count", Unreached: "its counts are those of every run, and a network makes them depend on time", Runs: oneClient, Cases: func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
		for _, size := range o.Sizes.Values {
			l := countLeaf{echoOf(t, size).driven("", 1)}
			l.schedule, l.Conns = loadgen.ClosedLoop, 1
			l.once, l.Endless = "counts are of a single attempt", true
			list = append(list, l)
		}
		return list
	}}
}

func oneClient(o *plan.Options) error {
	if o.Clients > 1 {
		return fmt.Errorf("%s: counts are of one caller", o.Together())
	}
	return nil
}

type countLeaf struct{ leaf }

// measure makes a pass in the first round of a line. The rounds after it report the same.
func (l countLeaf) measure(r *round) error {
	if err := r.ready(); err != nil {
		return err
	}
	if r.n == 1 {
		c, err := r.count(r.b.Context(), r.load.(*local), callsOf(r.Size), false)
		if err != nil {
			return r.giveUp(err)
		}
		r.counted = map[string]counts{r.Rest: c}
	}
	c := r.counted[r.Rest]
	r.rig.Ledger.warn(r.b.Name(), c.lacks...)
	loadbench.Report(r.b, c.metrics...)
	loadbench.Report(r.b, loadbench.Metric{Unit: "ns/op"}, // none
		loadbench.Metric{Unit: "errors"}, r.connections(false))
	return nil
}

// costs are what a call of one caller costs besides time, from a pass after the round: all
// of it with -detail, and with layers the part that proves them. The line has the allocations
// of its own calls. There are no costs after a run that failed, nor of messages on streams.
// Cases of a server that differ in their load only share a pass.
func (r *round) costs(failed error) counts {
	l, here := r.load.(*local)
	if failed != nil || !r.rig.counts() || here && l.runs != nil || r.rig.clients > 1 || r.rig.fault != "" {
		return counts{}
	}
	same := r.Benchmark.Name + "/" + amounts.ReplaceAllString(r.Rest, "")
	c, known := r.counted[same]
	if !known {
		var err error
		if c, err = r.countAside(); err != nil {
			c.lack("the costs of a call", err)
		}
		if r.counted == nil {
			r.counted = map[string]counts{}
		}
		r.counted[same] = c
	}
	return c
}

// amounts are the keys that say how much load there is, or how it is driven.
var amounts = regexp.MustCompile(`(conc|parallel|rate|load|loop)=[^/]*`)

// slowCall is a call that takes so long that a pass makes a tenth of the calls.
const slowCall = 5 * time.Millisecond

// countAside makes a pass with a load of its own.
func (r *round) countAside() (c counts, err error) {
	quick := *r.rig.Settings
	quick.Calls = 1 // the pass has a part that does not count
	l, err := newLocal(&quick, r.Case, r.dialed, 1, 1)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	calls, begin := callsOf(r.Size), time.Now()
	if err := l.once(0); err != nil {
		return c, err
	}
	if time.Since(begin) > slowCall {
		calls = max(calls/10, 1)
	}
	c, err = r.count(r.b.Context(), l, calls, !r.rig.detail)
	c.metrics = slices.DeleteFunc(c.metrics, func(m loadbench.Metric) bool { return !r.rig.tells(m.Unit) })
	return c, err
}

// tells reports whether lines have a unit of the counts: not those that the timed calls
// have themselves, and without -detail those alone that prove layers.
func (s *Settings) tells(unit string) bool {
	switch {
	case strings.HasSuffix(unit, "-allocs/op") || unit == "client-B/op" || unit == "server-B/op":
		return false
	case s.detail:
		return true
	}
	return strings.HasSuffix(unit, "-wire-B/op") || strings.HasSuffix(unit, "-spans/op")
}
