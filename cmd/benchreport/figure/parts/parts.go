// Package parts sums up where the CPU time of a call goes: the parts of each side of a variant,
// over all rounds. The parts and their order are package anatomy's.
package parts

import (
	"cmp"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/internal/anatomy"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Axis has the parts of both sides beside each other.
func Axis() material.Axis {
	a := material.None()
	a.Keys = []string{anatomy.SideKey, anatomy.PartKey}
	return a
}

// Is reports whether a line is of a part of a call.
func Is(l lines.Line) bool { return l.Get(anatomy.PartKey) != "" }

// side is the client or the server of a variant.
type side struct {
	*material.Variant
	name   string
	rounds int
	of     []amount // by the places of parts
}

// amount is what a part takes.
type amount struct {
	ns      []float64 // of a call, in each round
	samples float64   // of all rounds
}

// sidesOf lists the sides of a panel: those of a variant next to each other, the variants with
// the least CPU time first, and references last.
func sidesOf(g *material.Group) (list []*side) {
	totals := map[*material.Variant]float64{}
	for _, v := range g.Variants {
		for _, s := range split(v) {
			totals[v] += mean(s.whole())
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b *side) int {
		return cmp.Or(cmp.Compare(rank.Order(a.Rank()), rank.Order(b.Rank())), cmp.Compare(totals[a.Variant], totals[b.Variant]))
	})
	return list
}

// split has the sides of a variant that have lines, in the order of package anatomy.
func split(v *material.Variant) (list []*side) {
	of, met := map[string]*side{}, map[string]int{}
	for _, l := range v.Lines {
		name := l.Get(anatomy.SideKey)
		if of[name] == nil {
			of[name] = &side{Variant: v, name: name, of: make([]amount, len(anatomy.Parts()))}
			list = append(list, of[name])
		}
		of[name].add(l, met[l.Row()])
		met[l.Row()]++
	}
	slices.SortStableFunc(list, func(a, b *side) int { return cmp.Compare(place(a.name), place(b.name)) })
	for _, s := range list {
		s.even()
	}
	return list
}

func place(side string) int { return slices.Index(anatomy.Sides(), side) }

// add adds the line of a round. A part that a later version has is the rest, the last one.
func (s *side) add(l lines.Line, round int) {
	at := slices.IndexFunc(anatomy.Parts(), func(p anatomy.Part) bool { return p.Name == l.Get(anatomy.PartKey) })
	if at < 0 {
		at = len(s.of) - 1
	}
	s.rounds = max(s.rounds, round+1)
	s.even()
	s.of[at].ns[round] += l.Values["ns/op"]
	s.of[at].samples += l.Values[anatomy.Samples]
}

// even gives all parts a value of each round, which is 0 where a part has no line.
func (s *side) even() {
	for i := range s.of {
		s.of[i].ns = append(s.of[i].ns, make([]float64, s.rounds-len(s.of[i].ns))...)
	}
}

// label is the variant and the side.
func (s *side) label() string { return s.Label + " " + s.name }

// whole is the CPU time of a call in each round, in ns.
func (s *side) whole() []float64 {
	sums := make([]float64, s.rounds)
	for _, part := range s.of {
		for round, ns := range part.ns {
			sums[round] += ns
		}
	}
	return sums
}

// mean is over the rounds, of which there is one at least: means of parts add up to the mean of
// their sum, as medians do not.
func mean(values []float64) (mean float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	return mean
}
