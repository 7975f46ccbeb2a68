package layers

import (
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/paired"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Tables has one for each quantity of each panel.
func (y *Layering) Tables() (list []table.Table) {
	for _, k := range y.kinds.Layered() {
		for _, g := range y.kinds.Group(y.of[k], overLayers()) {
			for _, q := range quantities {
				if q.in(k, addedIn(g)) {
					list = append(list, y.table(g, q)...)
				}
			}
			list = append(list, handshakes(g)...)
		}
	}
	return list
}

// table is of one quantity; none if no variant has it with an addition and without.
func (y *Layering) table(g *material.Group, q quantity) []table.Table {
	additions := y.settings.additions(g)
	t := table.Table{Title: titled(g, q.Title), Text: 1, Head: append([]string{"framework", q.Head}, additions...), Measured: fact.Measured(g.Lines())}
	g.SortByFramework()
	var s told
	for _, v := range g.Variants {
		if row := y.row(v, q, additions, &s); row != nil {
			t.Rows = append(t.Rows, row)
		}
	}
	for _, a := range additions {
		t = t.Without(a, number.Missing, "lacks")
	}
	t.Note = s.note()
	if s.rounds.Cells == 0 {
		return nil
	}
	return []table.Table{t}
}

// row is nil for a variant without a base.
func (y *Layering) row(v *material.Variant, q quantity, additions []string, s *told) []string {
	of := map[string][]lines.Line{}
	for _, l := range v.Lines {
		of[y.settings.addition(l)] = append(of[y.settings.addition(l)], l)
	}
	var bases []float64
	for _, l := range of[""] {
		if value, ok := q.Value(l); ok {
			bases = append(bases, value)
		}
	}
	if len(bases) == 0 {
		return nil
	}
	usual := pairs.Median(bases)
	row := []string{v.Label, number.Digits(usual / q.Size)}
	for _, a := range additions {
		base, other := q.Values(y.kinds, y.pairs(of[""], of[a], s))
		switch {
		case len(base) > 0:
			row = append(row, s.cell(q, usual, base, other))
		case isLayer(a) && y.lacks(of[""], strings.Fields(a)[0]):
			row = append(row, "lacks")
		default:
			row = append(row, number.Missing)
		}
	}
	return row
}

// pairs are bases and others of one round, and says in s if rounds are missing.
func (y *Layering) pairs(bases, others []lines.Line, s *told) []paired.Pair {
	if len(bases) == 0 || len(others) == 0 {
		return nil
	}
	list, all := inRounds(bases, others, y.settings.of(others[0]) == "")
	s.missing = s.missing || !all
	return list
}
