// Package plan decides which cases a run has, from the flags and the table of
// variants. Each case has its name, and each case left out has a reason.
package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Plan is the cases of a run.
type Plan struct {
	Targets []Target

	table    []Target // of all variants, wanted or not
	matcher  matcher
	skips    matcher           // of -skip
	cases    []Case            // that can be measured, in the order of the output
	selected []Case            // of these, by the pattern
	skipped  []string          // reasons for lines that are missing
	notes    []string          // on what was not asked for
	unfit    []string          // names of cases that their variants cannot carry
	left     map[string]string // Feature → why its cases were left out
	lines    map[string]error  // name of a network → why it cannot be had
	options  *Options
	known    []*Benchmark
	other    bool // -bench also selects a benchmark that is not the suite's
}

// New plans the cases of a table of variants. Empty tells whether any is left.
func New(o *Options, table []framework.Variant, all []*Benchmark) (*Plan, error) {
	p := &Plan{options: o, known: all, left: map[string]string{}, lines: map[string]error{}}
	err := o.check()
	if err == nil {
		err = o.checkVariants(table)
	}
	if err == nil {
		table, err = p.withWindows(table)
	}
	if err == nil {
		p.table = targetsOf(table)
		p.Targets, err = o.targets(table)
	}
	if err == nil {
		p.Targets, err = p.withLayers(p.Targets)
	}
	names := o.without(table)
	if len(names) > 0 {
		p.notes = append(p.notes, fmt.Sprintf("-set=%s: no variant of these sends it: %s", o.Set, strings.Join(names, ", ")))
	}
	if err == nil && len(p.Targets) == 0 && len(table) > 0 {
		err = &Nothing{fmt.Sprintf("%s: no variant is left to measure", o.selection()), p.notes}
	}
	for _, b := range all {
		if err == nil && b.Check != nil {
			err = b.Check(p.Targets)
		}
	}
	if err != nil {
		return nil, err
	}
	return p, p.selectCases()
}

// selectCases lists the cases, those that are selected, and what cannot be.
func (p *Plan) selectCases() error {
	m, err := compileMatcher("-bench", p.options.Pattern)
	if err == nil {
		p.skips, err = compileSkips(p.options.Skip)
	}
	if err != nil {
		return err
	}
	all, names := make([][]Case, len(p.known)), []string(nil)
	for i, b := range p.known {
		all[i] = p.casesOf(b)
		for _, c := range all[i] {
			if p.here(b) {
				names = append(names, c.Name())
			}
		}
	}
	m.end(names)
	p.matcher = m
	for i, b := range p.known {
		if err := p.add(b, all[i]); err != nil {
			return err
		}
	}
	if n := len(slices.DeleteFunc(names, func(name string) bool { return !m.leavesOut(name) || p.skips.skips(name) })); n > 0 {
		p.notes = append(p.notes, fmt.Sprintf("-bench ends in $, which leaves out cases that have more keys: %d", n))
	}
	others := slices.DeleteFunc(slices.Clone(p.options.Binary), func(name string) bool {
		return slices.ContainsFunc(p.known, func(b *Benchmark) bool { return b.function() == name })
	})
	p.other = slices.ContainsFunc(others, func(name string) bool { return m.matchesTop(name) && !p.skips.skips(name) })
	p.noteUnmatched(others)
	return nil
}

// here reports whether the binary has a benchmark.
func (p *Plan) here(b *Benchmark) bool {
	return p.options.Binary == nil || slices.Contains(p.options.Binary, b.function())
}

// add adds the cases of a benchmark. Those of one that the binary lacks are not
// selected, but a function of another name may run them.
func (p *Plan) add(b *Benchmark, cases []Case) error {
	known, unfit := map[string]bool{}, []Case(nil)
	for _, c := range cases {
		switch name := c.Name(); {
		case (b.SkipsTooLarge || c.Lacks != "") && c.unfit() != nil:
			unfit = append(unfit, c)
		case !known[name]:
			known[name] = true
			p.cases = append(p.cases, c)
			if err := p.choose(c, p.here(b) && p.runs(name)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if p.here(b) {
		p.skipNetworks(b)
		p.skipUnfit(b, unfit, known)
	}
	return nil
}

// runs reports whether -bench selects a case of this name and -skip does not skip it.
func (p *Plan) runs(name string) bool { return p.matcher.matches(name) && !p.skips.skips(name) }

// skipNetworks notes the networks that a benchmark is not measured over.
func (p *Plan) skipNetworks(b *Benchmark) {
	for _, n := range p.options.Networks.Values {
		if err := b.takes(n); err != nil && p.matcher.matchesTop(b.function()) && !p.skips.skips(b.function()) {
			p.skip(fmt.Sprintf("%s: net=%s: %v", b.function(), n.Name, err))
		}
	}
}

// skipUnfit notes the cases that a variant cannot carry, unless another variant
// has a case of the name.
func (p *Plan) skipUnfit(b *Benchmark, unfit []Case, known map[string]bool) {
	for _, c := range unfit {
		if name := c.Name(); !known[name] && p.runs(name) {
			p.skip(fmt.Sprintf("%s: %v", c.part(), c.unfit()))
			p.unfit = append(p.unfit, name)
		}
	}
}

// casesOf lists a benchmark's cases, grouped by Base.
func (p *Plan) casesOf(b *Benchmark) []Case {
	return slices.Concat(grouped(allCases(b, p.options, p.Targets))...)
}

// choose takes in a case, if the pattern matches it.
func (p *Plan) choose(c Case, matches bool) error {
	if !matches {
		return nil
	}
	if why := cmp.Or(c.Benchmark.OwnServers, c.OwnServers); c.Given != "" && why != "" {
		p.left[c.Feature()] = why
		return nil
	}
	if err := c.runs(p.options); err != nil {
		return err
	}
	p.selected = append(p.selected, c)
	return nil
}

// skip notes a row, or many, that there is not.
func (p *Plan) skip(why string) {
	if !slices.Contains(p.skipped, why) {
		p.skipped = append(p.skipped, why)
	}
}

// LeaveOutNetwork leaves out the cases over a network that cannot be had.
func (p *Plan) LeaveOutNetwork(n Network, why error) {
	p.skip(fmt.Sprintf("net=%s: %v", n.Name, why))
	p.lines[n.Name] = why
	over := func(c Case) bool { return c.Network == n }
	p.cases, p.selected = slices.DeleteFunc(p.cases, over), slices.DeleteFunc(p.selected, over)
}

// Lost says why a network cannot be had; nil if it can.
func (p *Plan) Lost(n Network) error { return p.lines[n.Name] }

// LeaveOutFeature leaves out the cases of a feature that their server lacks.
func (p *Plan) LeaveOutFeature(feature string, why error) {
	p.left[feature] = strings.ReplaceAll(why.Error(), "\n", " ")
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

// Absent is what there is no line of, and why.
func (p *Plan) Absent() []string { return append(slices.Clone(p.notes), p.lost()...) }

// lost is what was asked for and cannot be had, and why.
func (p *Plan) lost() []string {
	list := slices.Clone(p.skipped)
	for _, feature := range slices.Sorted(maps.Keys(p.left)) {
		list = append(list, feature+": "+p.left[feature])
	}
	return list
}

// Nothing is the error of a plan without cases. It is no mistake of one binary of
// several, of which others may have what was asked for.
type Nothing struct {
	why string
	// Absent is what there is no line of, and why, as of a plan.
	Absent []string
}

func (n *Nothing) Error() string { return n.why }

// Empty says why nothing is left to run; nil if something is.
func (p *Plan) Empty() error {
	if len(p.selected) > 0 || p.other {
		return nil
	}
	return &Nothing{p.whyEmpty(), p.Absent()}
}

func (p *Plan) whyEmpty() string {
	pattern := p.options.Pattern
	switch lost := p.lost(); {
	case len(lost) > 0:
		return fmt.Sprintf("-bench=%s: nothing is left to measure: %s", pattern, strings.Join(lost, "; "))
	case len(p.Targets) == 0:
		return "Config.Frameworks: there is nothing to measure"
	case !slices.ContainsFunc(p.Targets, func(t Target) bool { return !t.absent() }):
		return p.Targets[0].ID() + " is measured with -server alone: its servers are yours"
	case p.skipsAll():
		return fmt.Sprintf("-bench=%s -skip=%s: nothing is left to measure", pattern, p.options.Skip)
	default:
		return fmt.Sprintf("-bench=%s matches no case: %s", pattern, p.why())
	}
}

// skipsAll reports whether -skip skips what -bench selects, where nothing is left.
func (p *Plan) skipsAll() bool {
	return slices.ContainsFunc(p.options.Binary, func(name string) bool { return p.matcher.matchesTop(name) && p.skips.skips(name) }) ||
		slices.ContainsFunc(p.cases, func(c Case) bool { return p.here(c.Benchmark) && p.matcher.matches(c.Name()) })
}

// Groups lists a benchmark's cases, grouped by Base, without those that package
// testing would run although they are not selected. One Base must be one b.Run:
// package testing appends #01 to a repeated name.
func (p *Plan) Groups(benchmark string) [][]Case {
	return grouped(slices.DeleteFunc(slices.Clone(p.cases), func(c Case) bool {
		return c.Benchmark.Name != benchmark || p.left[c.Feature()] != "" || p.here(c.Benchmark) && p.matcher.leavesOut(c.Name())
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
	if p.other {
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

// grouped puts the cases of one Base together.
func grouped(cases []Case) (list [][]Case) {
	at := map[string]int{}
	for _, c := range cases {
		i, open := at[c.Base]
		if !open {
			i, at[c.Base] = len(list), len(list)
			list = append(list, nil)
		}
		list[i] = append(list[i], c)
	}
	return list
}
