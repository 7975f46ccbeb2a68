package figure

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// across is an axis whose points are the columns of a table.
type across struct {
	axis  axis
	title string
	parts bool // a cell also says its share of the first one in its row
}

// crossed are tables of how fast transfers are, of which a row is a line of a chart: by
// the network, the window, the number at once, and the size.
func (m *material) crossed() (list []Table) {
	for _, a := range []across{
		{networks, "network", false},
		{windows, "receive window", false},
		{parallels, "transfers at once, and in % of the first column", true},
		{sizes, "size", false},
	} {
		for _, panels := range sameButMode(group(m.lines[bulk], a.axis)) {
			if ticks := panels.ticks(a.axis); len(ticks) > 1 {
				list = append(list, panels.cross(a, ticks))
			}
		}
	}
	return list
}

// sameButMode joins panels that differ in their mode, which becomes a column.
func sameButMode(panels []*lineGroup) (list []*lineGroup) {
	known := map[string]*lineGroup{}
	for _, g := range panels {
		keys := slices.DeleteFunc(slices.Clone(g.keys), func(k lines.Key) bool { return k.Key == "mode" })
		joined := &lineGroup{bench: g.bench, keys: keys}
		if of := known[joined.title()]; of != nil {
			of.variants = append(of.variants, g.variants...)
			continue
		}
		joined.variants = slices.Clone(g.variants)
		known[joined.title()], list = joined, append(list, joined)
	}
	return list
}

// cross has the modes of a framework side by side, and the references last.
func (g *lineGroup) cross(a across, ticks []Tick) Table {
	t := Table{Title: "By " + a.title + ": " + g.title(), Text: 2, Head: []string{"framework", "mode"}}
	g.byFramework()
	for _, v := range g.variants {
		t.Rows = append(t.Rows, []string{v.label, cmp.Or(v.lines[0].Get("mode"), missing)})
	}
	bases := make([]float64, len(g.variants))
	for _, tick := range ticks {
		unit, f, size := g.speedAt(a.axis, tick.Name)
		t.Head = append(t.Head, tick.Name+" "+unit)
		for i, v := range g.variants {
			values := v.at(a.axis, tick.Name, f, size)
			t.Rows[i] = append(t.Rows[i], a.cell(values, &bases[i]))
		}
	}
	return t.without("mode", missing)
}

// byFramework sorts variants by their frameworks, in the order of the lines.
func (g *lineGroup) byFramework() {
	places := map[string]int{}
	for _, v := range g.variants {
		if _, ok := places[v.framework]; !ok {
			places[v.framework] = len(places)
		}
	}
	slices.SortStableFunc(g.variants, func(v, w *variant) int {
		return cmp.Or(cmp.Compare(order(v.rank()), order(w.rank())), cmp.Compare(places[v.framework], places[w.framework]))
	})
}

// speedAt is how the speed at a tick is told: in MB/s, or of transfers that are too small
// for it by the median time.
func (g *lineGroup) speedAt(a axis, tick string) (unit string, f metric, size float64) {
	rate := metric{value: "MB/s"}
	for _, v := range g.variants {
		if len(v.at(a, tick, rate, 1)) > 0 {
			return "MB/s", rate, 1
		}
	}
	return "µs", metric{value: "p50-ns"}, 1e3
}

// at returns what all rounds have of a metric at a tick, in units of a size.
func (v *variant) at(a axis, tick string, f metric, size float64) (values []float64) {
	for _, r := range v.points(a, f) {
		if r.name != tick {
			continue
		}
		for _, value := range r.values {
			values = append(values, value/size)
		}
	}
	return values
}

// cell is the median with its range, and if the table has parts its share of the base, which is the first of its row.
func (a across) cell(values []float64, base *float64) string {
	if len(values) == 0 {
		return missing
	}
	text, middle := withRange(values), median(values)
	switch {
	case !a.parts:
	case *base == 0:
		*base = middle
	default:
		text += fmt.Sprintf(" (%.0f %%)", 100*middle / *base)
	}
	return text
}
