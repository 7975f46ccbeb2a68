package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// CheckCalls returns an error if -payload or -call-timeout would change nothing.
func (p *Plan) CheckCalls() error {
	switch o := p.options; {
	case len(p.selected) == 0:
		return nil
	case o.Compressible && !p.selects(func(c Case) bool { return c.Compressible }):
		return fmt.Errorf("-payload=compressible: the requests of %s do not have that payload", p.benchmarks())
	case o.CallTimeout > 0 && !p.selects(func(c Case) bool { return c.Timeout > 0 }):
		return fmt.Errorf("-call-timeout=%v: the selected calls of %s do not end at a deadline", o.CallTimeout, p.benchmarks())
	}
	return nil
}

// selects reports whether one of the selected cases is of this kind.
func (p *Plan) selects(is func(Case) bool) bool { return slices.ContainsFunc(p.selected, is) }

// benchmarks names those of which cases are selected.
func (p *Plan) benchmarks() string {
	var names []string
	for _, c := range p.selected {
		if !slices.Contains(names, c.Benchmark.Name) {
			names = append(names, c.Benchmark.Name)
		}
	}
	return strings.Join(names, " and ")
}

// whyNoCondition says why no case has a key that a flag of another name gives to all; "" if
// the flag is set, or the cases cannot have the key.
func (m mismatch) whyNoCondition(key, value string) string {
	has := func(can func(Spec) bool) bool {
		return slices.ContainsFunc(m.cases, func(c Case) bool { return can(c.Spec) })
	}
	d, err := time.ParseDuration(value)
	switch {
	case key == "data" && value == "compressible" && !m.options.Compressible && has(func(s Spec) bool { return !s.OwnData }):
		return "there is no data=compressible: add -payload=compressible"
	case key == "timeout" && err == nil && d != m.options.CallTimeout && has(func(s Spec) bool { return !s.Endless }):
		return fmt.Sprintf("there is no timeout=%s: add -call-timeout=%v", value, d)
	}
	return ""
}
