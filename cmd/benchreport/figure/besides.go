package figure

import (
	"cmp"
	"slices"
)

// besides are the tables of what calls, connections and programs cost besides time. A
// subject without lines has none.
func (m *material) besides() (list []Table) {
	for _, b := range []struct {
		of    subject
		table func(g *lineGroup) Table
	}{
		{counted, (*lineGroup).counts},
		{dialed, (*lineGroup).dials},
		{silent, func(g *lineGroup) Table { return g.idle(m) }},
		{start, (*lineGroup).footprints},
	} {
		for _, g := range group(m.lines[b.of], none) {
			t := b.table(g)
			t.Measured = measured(m.lines[b.of])
			list = append(list, t)
		}
	}
	return append(list, m.layers.tables()...)
}

// sortBy puts the references last, and before that the least of each unit first.
func (g *lineGroup) sortBy(units ...string) {
	slices.SortStableFunc(g.variants, func(v, w *variant) int {
		by := cmp.Compare(order(v.rank()), order(w.rank()))
		for _, unit := range units {
			by = cmp.Or(by, cmp.Compare(v.middle(unit), w.middle(unit)))
		}
		return by
	})
}
