// Package estimate says how long the cases of a run take: beforehand, and while they are
// measured.
package estimate

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// Estimate is how long cases take: what is known beforehand, corrected by what those
// before took.
type Estimate struct {
	cases      map[string]*expected
	benchmarks map[string]*learned
}

// expected is what a case is expected to take.
type expected struct {
	benchmark string
	each      time.Duration // of its measurements
	left      int           // measurements to make
}

// learned is the expected time of the measurements of a benchmark, of those left and of
// those done, and the time that those done took.
type learned struct{ left, done, took time.Duration }

// New estimates cases.
func New(cases []plan.Case, pace Pace) *Estimate {
	e := &Estimate{cases: map[string]*expected{}, benchmarks: map[string]*learned{}}
	known := map[string]bool{} // servers and searches that cases share
	for _, c := range cases {
		e.add(c, pace, known)
	}
	return e
}

// add adds a case. The first case that needs a server or a shared search pays for
// it.
func (e *Estimate) add(c plan.Case, pace Pace, known map[string]bool) {
	each, shared := measures(c, pace), time.Duration(0)
	server := fmt.Sprint(c.Benchmark.Name, c.ID(), c.Network.Name, c.Workload)
	if c.Given == "" && !known[server] {
		shared = serverStart * time.Duration(c.Servers)
	}
	search := fmt.Sprint(server, c.Size, c.Action)
	switch {
	case c.Search > 0 && !c.SharesSearch:
		each, shared = loadStart+searches(c), 0
	case c.Search > 0 && !known[search]:
		shared += searches(c)
	}
	known[server], known[search] = true, true
	each += shared / time.Duration(max(pace.Times, 1))
	e.cases[c.Name()] = &expected{c.Benchmark.Name, each, pace.Times}
	if e.benchmarks[c.Benchmark.Name] == nil {
		e.benchmarks[c.Benchmark.Name] = new(learned)
	}
	e.benchmarks[c.Benchmark.Name].left += each * time.Duration(pace.Times)
}

// longestCase is the most that a case over a network may be expected to take.
const longestCase = 10 * time.Minute

// Check returns an error if one of the cases is over a network and would take too long.
func Check(cases []plan.Case, pace Pace) error {
	cases = slices.DeleteFunc(slices.Clone(cases), func(c plan.Case) bool { return !c.Waits() })
	e := New(cases, pace)
	for _, c := range cases {
		if each := e.cases[c.Name()].each; each > longestCase {
			return fmt.Errorf("%s: over net=%s it takes about %v, and a case may take %v: choose smaller payloads, fewer callers or a shorter -benchtime",
				c.Name(), c.Network.Name, each.Round(time.Minute), longestCase)
		}
	}
	return nil
}

// Cases is how many cases there are.
func (e *Estimate) Cases() int { return len(e.cases) }

// Has reports whether a case is estimated.
func (e *Estimate) Has(name string) bool { return e.cases[name] != nil }

// Took says that a case of this name was measured, and how long that took.
func (e *Estimate) Took(name string, took time.Duration) {
	c := e.cases[name]
	if c == nil || c.left == 0 {
		return
	}
	c.left--
	b := e.benchmarks[c.benchmark]
	b.left, b.done, b.took = b.left-c.each, b.done+c.each, b.took+took
}

// Left is how long the measurements take that are left. They are expected to take longer
// than was known beforehand by the factor by which those of their benchmark did so far.
func (e *Estimate) Left() (sum time.Duration) {
	for _, b := range e.benchmarks {
		sum += b.expects()
	}
	return sum
}

func (b *learned) expects() time.Duration {
	if b.done == 0 {
		return b.left
	}
	return time.Duration(float64(b.left) * float64(b.took) / float64(b.done))
}

// Longest is the benchmark that takes the longest, of several; "" of one.
func (e *Estimate) Longest() (name string, takes time.Duration) {
	if len(e.benchmarks) < 2 {
		return "", 0
	}
	for _, one := range slices.Sorted(maps.Keys(e.benchmarks)) {
		if d := e.benchmarks[one].expects(); d > takes {
			name, takes = one, d
		}
	}
	return name, takes
}
