package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// New plans the cases of a table of variants. Empty tells whether any is left.
func New(o *Options, table []framework.Variant, all []*Benchmark) (*Plan, error) {
	p := &Plan{options: o, known: all, absence: absence{lacking: map[string]string{}}, unreachable: map[string]error{}}
	if err := cmp.Or(o.check(), o.checkVariants(table)); err != nil {
		return nil, err
	}
	if err := p.findTargets(table); err != nil {
		return nil, err
	}
	for _, b := range all {
		if b.Check == nil {
			continue
		}
		if err := b.Check(p.Targets); err != nil {
			return nil, err
		}
	}
	return p, p.selectCases()
}

// findTargets lists the targets that the options ask for.
func (p *Plan) findTargets(table []framework.Variant) error {
	o := p.options
	table, err := o.withWindows(table, &p.absence)
	if err != nil {
		return err
	}
	p.table = table
	if p.Targets, err = o.targets(table); err != nil {
		return err
	}
	if p.Targets, err = o.withLayers(p.Targets, table, &p.absence); err != nil {
		return err
	}
	if len(o.Unsent) > 0 && len(o.Frameworks.Values) == 0 {
		p.note("-msg=%s: lacked by %s", o.Message, strings.Join(o.Unsent, ", "))
	}
	if names := o.withoutCodec(table); len(names) > 0 {
		p.note("-set=%s: no variant of these sends it: %s", o.set, strings.Join(names, ", "))
	}
	if len(p.Targets) == 0 && len(table) > 0 {
		return &Nothing{fmt.Sprintf("%s: no variant is left to measure", o.selectors()), p.notes}
	}
	return nil
}

// selectCases lists the cases, those that are selected, and what cannot be.
func (p *Plan) selectCases() (err error) {
	if p.matcher, err = compileMatcher("-bench", p.options.Pattern); err != nil {
		return err
	}
	if p.skips, err = compileSkips(p.options.Skip); err != nil {
		return err
	}
	all, names := p.allCases()
	p.matcher.end(names)
	for i, b := range p.known {
		if err := p.add(b, all[i]); err != nil {
			return err
		}
	}
	if n := p.count(names, p.matcher.leavesOut); n > 0 {
		p.note("-bench ends in $, which leaves out cases that have more keys: %d", n)
	}
	if n := p.count(names, p.matcher.hides); n > 0 {
		p.note("-bench has a longer alternative first, which hides cases of those behind it: %d: put it last", n)
	}
	others := slices.DeleteFunc(slices.Clone(p.options.Binary), func(name string) bool {
		return slices.ContainsFunc(p.known, func(b *Benchmark) bool { return b.function() == name })
	})
	p.others = slices.ContainsFunc(others, func(name string) bool { return p.matcher.matchesTop(name) && !p.skips.skips(name) })
	p.noteUnmatched(others)
	return nil
}

// allCases lists the cases of each benchmark, and the names of those that the binary has.
func (p *Plan) allCases() (all [][]Case, names []string) {
	for _, b := range p.known {
		cases := casesOf(b, p.options, p.Targets)
		all = append(all, cases)
		for _, c := range cases {
			if p.here(b) {
				names = append(names, c.Name())
			}
		}
	}
	return all, names
}

// add adds the cases of a benchmark. Those of one that the binary lacks are not
// selected, but a function of another name may run them.
func (p *Plan) add(b *Benchmark, cases []Case) error {
	known, unfit := map[string]bool{}, []Case(nil)
	for _, c := range cases {
		switch name := c.Name(); {
		case c.unfit() != nil:
			unfit = append(unfit, c)
		case !known[name]:
			known[name] = true
			p.cases = append(p.cases, c)
			if !p.here(b) || !p.selects(name) {
				continue
			}
			if err := p.choose(c); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if p.here(b) {
		p.skipNetworks(b)
		p.skipCores(b)
		p.skipUnfit(unfit, known)
	}
	return nil
}

// selects reports whether -bench selects a case of this name and -skip does not skip it.
func (p *Plan) selects(name string) bool { return p.matcher.matches(name) && !p.skips.skips(name) }

// count counts the names that are so and are not skipped.
func (p *Plan) count(names []string, so func(string) bool) (n int) {
	for _, name := range names {
		if so(name) && !p.skips.skips(name) {
			n++
		}
	}
	return n
}

// choose takes a case into those that run, or says why the given server cannot have it.
func (p *Plan) choose(c Case) error {
	if why := cmp.Or(c.Benchmark.OwnServers, c.OwnServers); c.Given != "" && why != "" {
		p.lacking[c.Feature()] = why
		return nil
	}
	if err := c.refused(p.options); err != nil {
		return err
	}
	p.selected = append(p.selected, c)
	return nil
}

// skipNetworks notes the networks that a benchmark is not measured over.
func (p *Plan) skipNetworks(b *Benchmark) {
	for _, n := range p.options.Networks.Values {
		if err := b.takes(n); err != nil && p.matcher.matchesTop(b.function()) && !p.skips.skips(b.function()) {
			p.skip(fmt.Sprintf("%s: net=%s: %v", b.function(), n.Name, err))
		}
	}
}

// skipCores notes a benchmark that is not measured by cores.
func (p *Plan) skipCores(b *Benchmark) {
	if len(p.options.coresOf(b)) == 0 && p.matcher.matchesTop(b.function()) && !p.skips.skips(b.function()) {
		p.skip(fmt.Sprintf("%s: -cores=%v: %s", b.function(), &p.options.Cores, b.NoCores))
	}
}

// skipUnfit notes the cases that a variant cannot carry, unless another variant
// has a case of the name.
func (p *Plan) skipUnfit(unfit []Case, known map[string]bool) {
	for _, c := range unfit {
		if name := c.Name(); !known[name] && p.selects(name) {
			p.skip(fmt.Sprintf("%s: %v", c.part(), c.unfit()))
			p.unfit = append(p.unfit, name)
		}
	}
}
