package rig

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// costs are what a call of one caller costs besides time, from a pass after the round: all
// of it with -detail, and with layers the part that proves them. The line has the allocations
// of its own calls. There are no costs after a run that failed, nor of messages on streams.
// Cases of a server that differ in their load only share a pass.
func (r *Round) costs(failed error) probe.Counts {
	l, here := r.Load.(*load.Local)
	if failed != nil || !r.Rig.counts() || here && l.Runs != nil || r.Rig.Agents.Clients > 1 || r.Rig.Fault != "" || r.Excuse == Down {
		return probe.Counts{}
	}
	if r.Sizes != nil {
		return probe.Counts{Lacks: []string{"the costs of a call: a pass has too few calls for a distribution of sizes"}}
	}
	same := r.Benchmark.Name + "/" + amounts.ReplaceAllString(r.Rest, "")
	c, known := r.Counted[same]
	if !known {
		var err error
		if c, err = r.countAside(); err != nil {
			c.Lack("the costs of a call", err)
		}
		if r.Counted == nil {
			r.Counted = map[string]probe.Counts{}
		}
		r.Counted[same] = c
	}
	return c
}

// Counts are what a call of one caller costs, from a pass in the first round of a line. The
// rounds after it have the same.
func (r *Round) Counts() (probe.Counts, error) {
	if r.N == 1 {
		c, err := r.count(r.Load.(*load.Local), probe.CallsOf(r.Size, r.Cycle), false)
		if err != nil {
			return c, err
		}
		r.Counted = map[string]probe.Counts{r.Rest: c}
	}
	return r.Counted[r.Rest], nil
}

// count makes a pass over the round's servers.
func (r *Round) count(l *load.Local, calls int, brief bool) (probe.Counts, error) {
	over := probe.Pass{
		Servers: r.Running, Addrs: r.Dialed, Spanned: r.target.Stack().Has(layer.OTel), Datagrams: r.target.Datagrams,
		CPUs: r.Rig.Placement.Available, End: r.endCalls,
	}
	return probe.Count(r.Bench.Context(), over, l, calls, brief)
}

// amounts are the keys that say how much load there is, or how it is driven.
var amounts = regexp.MustCompile(`(conc|parallel|rate|load|loop)=[^/]*`)

// slowCall is a call that takes so long that a pass makes a tenth of the calls.
const slowCall = 5 * time.Millisecond

// countAside makes a pass with a load of its own.
func (r *Round) countAside() (c probe.Counts, err error) {
	quick := r.Rig.Load
	quick.Calls = 1 // the pass has a part that does not count
	l, err := load.NewLocal(&quick, r.Case, r.Dialed, 1, 1)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	calls, begin := probe.CallsOf(r.Size, r.Cycle), time.Now()
	if err := l.CallOnce(0); err != nil {
		return c, err
	}
	if time.Since(begin) > slowCall {
		calls = max(calls/10, 1)
	}
	c, err = r.count(l, calls, !r.Rig.Output.Detail)
	c.Metrics = slices.DeleteFunc(c.Metrics, func(m loadbench.Metric) bool { return !r.Rig.tells(m.Unit) })
	return c, err
}

// tells reports whether lines have a unit of the counts: not those that the timed calls
// have themselves, and without -detail those alone that prove layers.
func (s *Settings) tells(unit string) bool {
	switch {
	case strings.HasSuffix(unit, "-allocs/op") || unit == "client-B/op" || unit == "server-B/op":
		return false
	case s.Output.Detail:
		return true
	}
	return strings.HasSuffix(unit, "-wire-B/op") || strings.HasSuffix(unit, "-spans/op")
}
