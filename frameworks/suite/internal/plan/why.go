package plan

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/commandline"
)

// Empty says why nothing is left to run; nil if something is.
func (p *Plan) Empty() error {
	if len(p.selected) > 0 || p.others {
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
	case !slices.ContainsFunc(p.Targets, func(t Target) bool { return !t.unserved() }):
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

// why says why the pattern matches no case. Of several alternatives it is about
// the one of which most elements match.
func (p *Plan) why() (reason string) {
	most := -1
	for _, a := range p.matcher {
		if r, depth := p.whyNot(a); depth > most {
			reason, most = r, depth
		}
	}
	return reason
}

// noteUnmatched notes the parts of the pattern that match nothing where others
// match something: of alternatives, and of the values of a key.
func (p *Plan) noteUnmatched(others []string) {
	for _, a := range p.matcher {
		if len(p.selected) == 0 || slices.ContainsFunc(others, a.elements[0].MatchString) {
			continue
		}
		if why, _ := p.whyNot(a); why != "" {
			p.note("-bench=%s matches no case: %s", a.text, why)
			continue
		}
		for at := 1; at < len(a.elements); at++ {
			p.noteValues(a, at)
		}
	}
}

// severalValues matches several values of a key, as in framework=(grpc|kitex).
var severalValues = regexp.MustCompile(`^\^?(\w+=)\^?\(([^()]*)\)\$?$`)

// noteValues notes the values of a key that no case has, which other elements of
// the alternative match.
func (p *Plan) noteValues(a alternative, at int) {
	several := severalValues.FindStringSubmatch(a.elements[at].String())
	if several == nil {
		return
	}
	a.elements = slices.Clone(a.elements[:at+1])
	for value := range strings.SplitSeq(several[2], "|") {
		one, err := regexp.Compile("^" + several[1] + value)
		if err != nil {
			continue
		}
		a.elements[at] = one
		if why, _ := p.whyNot(a); why != "" {
			p.note("-bench: %s", why)
		}
	}
}

// whyNot says why an alternative matches no case; "" if it does. depth is how many
// of its first elements match one.
func (p *Plan) whyNot(a alternative) (reason string, depth int) {
	cases, depth := p.closest(a)
	switch {
	case depth == 0:
		return p.whyNoBenchmark(a.elements[0]), 0
	case depth == len(a.elements), slices.ContainsFunc(p.unfit, a.matchesBegin):
		return "", depth // if these are left out, it is said why
	}
	return mismatch{p, cases, depth, literal(a.elements[depth])}.why(), depth
}

// closest are the cases of which most elements match.
func (p *Plan) closest(a alternative) (cases []Case, depth int) {
	for _, c := range p.cases {
		n := a.depth(c.Name())
		if n > depth && p.here(c.Benchmark) {
			cases, depth = nil, n
		}
		if n > 0 && n == depth && p.here(c.Benchmark) {
			cases = append(cases, c)
		}
	}
	return cases, depth
}

// whyNoBenchmark says why there is no case of a benchmark.
func (p *Plan) whyNoBenchmark(re *regexp.Regexp) string {
	var names []string
	for _, b := range p.known {
		switch matches := re.MatchString(b.function()); {
		case matches && p.here(b):
			return fmt.Sprintf("%s is measured of none of the variants that are selected", b.Name)
		case matches:
			return fmt.Sprintf("this package lacks func %s(b *testing.B) { suite.%s(b) }", b.function(), b.Name)
		case p.here(b):
			names = append(names, b.Name)
		}
	}
	name := strings.TrimPrefix(literal(re), "Benchmark")
	if near := commandline.Nearest(name, names); len(near) > 0 && strings.HasPrefix(re.String(), "^") {
		return fmt.Sprintf("no benchmark is %s; did you mean ^Benchmark%s?", re, near[0])
	}
	return fmt.Sprintf("there is no benchmark %s%s", name, Instead(name, names))
}

// mismatch is the first element of the pattern that none of the cases has which the
// elements before it match.
type mismatch struct {
	*Plan
	cases   []Case
	at      int    // in the cases' names
	element string // without ^ and $
}

func (m mismatch) why() string {
	key, value, found := strings.Cut(m.element, "=")
	there := m.elements(m.at)
	name := func(element string) bool { return strings.HasPrefix(element, key+"=") }
	switch {
	case !found:
		return fmt.Sprintf("there is no key with %s%s", key, insteadOf(key, there))
	case strings.Contains(value, ","):
		return fmt.Sprintf("several values are written %s=(%s)", key, strings.ReplaceAll(value, ",", "|"))
	case slices.ContainsFunc(there, name):
		return m.whyNoValue(key, value, slices.DeleteFunc(there, func(e string) bool { return !name(e) }))
	}
	return m.whyNoKey(key, value)
}

// whyNoKey says why no case has the key at this place.
func (m mismatch) whyNoKey(key, value string) string {
	var keys []string
	for i := 1; len(m.elements(i)) > 0; i++ {
		for _, element := range m.elements(i) {
			name, _, _ := strings.Cut(element, "=")
			if name == key {
				return fmt.Sprintf("%s= has another place, as in '%s/%s=%s'", key, strings.Join(append([]string{m.cases[0].Benchmark.Name}, keys...), "/"), key, value)
			}
			if !slices.Contains(keys, name+"=") {
				keys = append(keys, name+"=")
			}
		}
	}
	if err := m.listed(key, value); err != "" && slices.Contains([]string{"net", "cores", "window", "with", "metadata", "chain"}, key) {
		return err
	}
	if why := m.whyNoCondition(key, value); why != "" {
		return why
	}
	if slices.Contains([]string{"profile", "pool", "window", "with", "metadata", "chain"}, key) {
		return fmt.Sprintf("%s has no variant with %s", m.of(), m.element)
	}
	return fmt.Sprintf("%s has no key %s=%s", m.cases[0].Benchmark.Name, key, Instead(key+"=", keys))
}

// whyNoValue says why no case has the value, where some have others of the key.
func (m mismatch) whyNoValue(key, value string, others []string) string {
	if err := m.listed(key, value); err != "" {
		return err
	}
	is := func(v framework.Variant) bool {
		return m.fits(v) && slices.Contains(strings.Split(v.ID(), "/"), m.element)
	}
	switch {
	case slices.ContainsFunc(m.Targets, func(t Target) bool { return is(t.Variant) && t.unserved() }):
		return m.element + " is measured with -server alone: its servers are yours"
	case slices.ContainsFunc(m.Targets, func(t Target) bool { return is(t.Variant) }):
		return fmt.Sprintf("%s is not measured of %s%s", m.cases[0].Benchmark.Name, m.element, insteadOf(m.element, others))
	case slices.ContainsFunc(m.table, is):
		return fmt.Sprintf("%s is left out by %s", m.element, m.options.selectors())
	case key == "framework":
		return fmt.Sprintf("there is no %s%s", m.element, insteadOf(m.element, others))
	}
	return fmt.Sprintf("%s has no %s%s", m.of(), m.element, insteadOf(m.element, others))
}

// listed is the sentence about a value that the flag of its key does not list; ""
// if there is no such flag, or it lists the value.
func (m mismatch) listed(key, value string) string {
	b := m.cases[0].Benchmark
	name, ok := b.Lists[key]
	if !ok {
		name = key
	}
	if m.options.Lookup == nil || m.options.Lookup(name) == nil {
		return ""
	}
	f, text := m.options.Lookup(name), strings.TrimSuffix(value, "%")
	list, ok := f.Value.(interface {
		Has(text string) bool
		Reads(text string) error
	})
	switch {
	case !ok || name == "framework" || list.Has(text):
		return ""
	case list.Reads(text) != nil:
		return fmt.Sprintf("%s: %v", m.element, list.Reads(text))
	}
	return fmt.Sprintf("there is no %s: -%s is %s; add -%s=%s", m.element, name, cmp.Or(f.Value.String(), "empty"), name, text)
}

// elements are those at a place of the cases' names, each once.
func (m mismatch) elements(at int) (list []string) {
	for _, c := range m.cases {
		parts := strings.Split(c.Name(), "/")
		if at < len(parts) && !slices.Contains(list, parts[at]) {
			list = append(list, parts[at])
		}
	}
	return list
}

// fits reports whether a variant is of a framework of the cases. Where the pattern has
// not named one yet, every variant is.
func (m mismatch) fits(v framework.Variant) bool {
	return m.at == 1 || slices.ContainsFunc(m.cases, func(c Case) bool { return c.Framework == v.Framework })
}

// of names what the cases are of, as far as their names match.
func (m mismatch) of() string {
	var names []string
	for _, c := range m.cases {
		if !slices.Contains(names, "framework="+c.Framework) {
			names = append(names, "framework="+c.Framework)
		}
	}
	if len(names) > 3 {
		return m.cases[0].Benchmark.Name
	}
	return strings.Join(names, ", ")
}

// literal is an element of the pattern as a name has it.
func literal(re *regexp.Regexp) string {
	return strings.NewReplacer("^", "", "$", "").Replace(re.String())
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
