// Package material sorts the lines and records of a text into what charts and tables are made
// of: kinds, and of each the groups of lines that are shown together. It knows no benchmark:
// what it must know of one is a Kind.
package material

import (
	"cmp"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/seen"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Material is what figures are made of.
type Material struct {
	*Kinds
	Notes  *Notes
	of     map[*Kind][]lines.Line // nil has those of no kind
	aside  map[*Kind][]lines.Line
	ranks  map[string]string   // of the frameworks
	codecs map[string][]string // of the frameworks
}

// New sorts lines, of which those of one name are repeats.
func New(list []lines.Line, ks *Kinds, notes *Notes) *Material {
	m := &Material{Kinds: ks, Notes: notes, of: map[*Kind][]lines.Line{}, aside: map[*Kind][]lines.Line{}}
	for _, l := range list {
		k := ks.Of(l)
		m.of[k] = append(m.of[k], l)
	}
	for _, k := range ks.list {
		if k.Aside != nil {
			m.setAside(k)
		}
	}
	m.rank()
	return m
}

func (m *Material) setAside(k *Kind) {
	for _, l := range m.of[k] {
		if k.Aside(l) {
			m.aside[k] = append(m.aside[k], l)
		}
	}
	if len(m.aside[k]) < len(m.of[k]) {
		m.of[k] = slices.DeleteFunc(m.of[k], k.Aside)
	}
}

// Of returns the lines of some kinds; nil stands for the lines that no kind takes.
func (m *Material) Of(kinds ...*Kind) (list []lines.Line) {
	for _, k := range kinds {
		list = append(list, m.of[k]...)
	}
	return list
}

// Aside returns the lines of a kind that are set aside if there are others.
func (m *Material) Aside(k *Kind) []lines.Line { return m.aside[k] }

// Calls returns the lines of calls of frameworks.
func (m *Material) Calls() []lines.Line {
	return m.Of(m.having(func(k *Kind) bool { return k.Calls })...)
}

// rank finds the ranks of the frameworks, each by the first of its lines that does not stand
// beside another, and their serializers.
func (m *Material) rank() {
	m.ranks, m.codecs = map[string]string{}, map[string][]string{}
	for _, l := range m.Calls() {
		framework := rank.Framework(l.Name)
		if codec := l.Get("codec"); codec != "" && codec != NoCodec && !slices.Contains(m.codecs[framework], codec) {
			m.codecs[framework] = append(m.codecs[framework], codec)
		}
		if of := rank.Of(l); m.ranks[framework] == "" && of != rank.Beside {
			m.ranks[framework] = of
		}
	}
}

// RankIn is the rank of a framework in all its lines.
func (m *Material) RankIn(framework string) string { return cmp.Or(m.ranks[framework], rank.Ranked) }

// Codecs are the serializers of a framework, in the order of the lines.
func (m *Material) Codecs(framework string) []string { return m.codecs[framework] }

// Frameworks lists the frameworks of calls, in the order of the lines, references last.
func (m *Material) Frameworks() (list []string) {
	known := seen.Texts{}
	for _, l := range m.Calls() {
		if name := rank.Framework(l.Name); known.IsNew(name) {
			list = append(list, name)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int {
		return cmp.Compare(rank.Order(m.RankIn(a)), rank.Order(m.RankIn(b)))
	})
	return list
}

// Others lists the benchmarks whose lines nothing shows.
func (m *Material) Others() (names []string) {
	known := seen.Texts{}
	for _, l := range m.of[nil] {
		if name := "Benchmark" + l.Base; known.IsNew(name) {
			names = append(names, name)
		}
	}
	return names
}
