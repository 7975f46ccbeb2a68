// Package plan decides which cases a run has, from the flags and the table of
// variants. Each case has its name, and each case left out has a reason.
package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Plan is the cases of a run.
type Plan struct {
	Targets []Target
	absence

	table       []framework.Variant // all, selected or not
	matcher     matcher
	skips       matcher          // of -skip
	cases       []Case           // that can be measured, in the order of the output
	selected    []Case           // of these, by the pattern
	unfit       []string         // names of cases that their variants cannot carry
	unreachable map[string]error // name of a network → why it cannot be had
	options     *Options
	known       []*Benchmark
	others      bool // -bench also selects a benchmark that is not the suite's
}

// here reports whether the binary has a benchmark.
func (p *Plan) here(b *Benchmark) bool {
	return p.options.Binary == nil || slices.Contains(p.options.Binary, b.function())
}

// LeaveOutNetwork leaves out the cases over a network that cannot be had.
func (p *Plan) LeaveOutNetwork(n Network, why error) {
	p.skip(fmt.Sprintf("net=%s: %v", n.Name, why))
	p.unreachable[n.Name] = why
	over := func(c Case) bool { return c.Network == n }
	p.cases, p.selected = slices.DeleteFunc(p.cases, over), slices.DeleteFunc(p.selected, over)
}

// Lost says why a network cannot be had; nil if it can.
func (p *Plan) Lost(n Network) error { return p.unreachable[n.Name] }

// LeaveOutFeature leaves out the cases of a feature that their server lacks.
func (p *Plan) LeaveOutFeature(feature string, why error) {
	p.lacking[feature] = strings.ReplaceAll(why.Error(), "\n", " ")
	p.selected = slices.DeleteFunc(p.selected, func(c Case) bool { return c.Feature() == feature })
}

// Selected are the cases that will run.
func (p *Plan) Selected() []Case { return p.selected }

// Case is the case of a name, selected or not.
func (p *Plan) Case(name string) (Case, error) {
	for _, c := range p.cases {
		if c.Name() == name {
			return c, nil
		}
	}
	return Case{}, fmt.Errorf("no case %q", name)
}

// Names lists the names of the cases that will run.
func (p *Plan) Names() (list []string) {
	for _, c := range p.selected {
		list = append(list, c.Name())
	}
	return list
}

// Groups lists a benchmark's cases, grouped by Base, without those that package
// testing would run although they are not selected. One Base must be one b.Run:
// package testing appends #01 to a repeated name.
func (p *Plan) Groups(benchmark string) [][]Case {
	return grouped(slices.DeleteFunc(slices.Clone(p.cases), func(c Case) bool {
		return c.Benchmark.Name != benchmark || p.lacking[c.Feature()] != "" || p.here(c.Benchmark) && p.matcher.runsUnasked(c.Name())
	}))
}

// Knows reports whether there is a benchmark of this name.
func (p *Plan) Knows(benchmark string) bool {
	return slices.ContainsFunc(p.known, func(b *Benchmark) bool { return b.Name == benchmark })
}

// Networks are those that the selected cases need. Where a function of another
// name may run any case, all cases count. Without any case they are those that the
// conformance test is asked for.
func (p *Plan) Networks() (list []Network) {
	if p.options.Pattern == NoCase {
		return slices.DeleteFunc(slices.Clone(p.options.Networks.Values), func(n Network) bool { return !n.Linked() })
	}
	cases := p.selected
	if p.others {
		cases = p.cases
	}
	for _, c := range cases {
		if !c.Direct() && !slices.Contains(list, c.Network) {
			list = append(list, c.Network)
		}
	}
	return list
}

// Workloads are the names of those that the selected cases need of servers of our own.
func (p *Plan) Workloads() (list []string) {
	for _, c := range p.selected {
		if c.Workload != "" && c.Given == "" && !slices.Contains(list, c.Workload) {
			list = append(list, c.Workload)
		}
	}
	return list
}

// Trials lists the first selected case of each feature of a target.
func (p *Plan) Trials(t Target) (list []Case) {
	for _, c := range p.selected {
		known := slices.ContainsFunc(list, func(other Case) bool { return other.Feature() == c.Feature() })
		if c.ID() == t.ID() && !known {
			list = append(list, c)
		}
	}
	return list
}
