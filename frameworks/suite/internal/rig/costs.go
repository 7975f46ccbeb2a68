package rig

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// costs are what a call of one caller costs besides time, from a pass after the round: all
// of it with -detail, and with layers the part that proves them. The line has the allocations
// of its own calls. There are no costs after a run that failed, nor of messages on streams.
// Cases of a server that differ in their load only share a pass.
func (r *round) costs(failed error) counts {
	l, here := r.load.(*local)
	if failed != nil || !r.rig.counts() || here && l.runs != nil || r.rig.Agents.Clients > 1 || r.rig.Fault != "" {
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

// counts are what a call of one caller costs, from a pass in the first round of a line. The
// rounds after it have the same.
func (r *round) counts() (counts, error) {
	if r.n == 1 {
		c, err := r.count(r.load.(*local), callsOf(r.Size), false)
		if err != nil {
			return c, err
		}
		r.counted = map[string]counts{r.Rest: c}
	}
	return r.counted[r.Rest], nil
}

// count makes a pass over the round's servers.
func (r *round) count(l *local, calls int, brief bool) (counts, error) {
	over := pass{
		servers: r.servers, addrs: r.dialed, spanned: r.target.Stack().Has(framework.OTel),
		cpus: r.rig.Placement.Available, end: r.endCalls,
	}
	return countCalls(r.b.Context(), over, l, calls, brief)
}

// amounts are the keys that say how much load there is, or how it is driven.
var amounts = regexp.MustCompile(`(conc|parallel|rate|load|loop)=[^/]*`)

// slowCall is a call that takes so long that a pass makes a tenth of the calls.
const slowCall = 5 * time.Millisecond

// countAside makes a pass with a load of its own.
func (r *round) countAside() (c counts, err error) {
	quick := r.rig.Load
	quick.Calls = 1 // the pass has a part that does not count
	l, err := newLocal(&quick, r.Case, r.dialed, 1, 1)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	calls, begin := callsOf(r.Size), time.Now()
	if err := l.makeCall(0); err != nil {
		return c, err
	}
	if time.Since(begin) > slowCall {
		calls = max(calls/10, 1)
	}
	c, err = r.count(l, calls, !r.rig.Output.Detail)
	c.metrics = slices.DeleteFunc(c.metrics, func(m loadbench.Metric) bool { return !r.rig.tells(m.Unit) })
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
