package draw

import (
	"cmp"
	"fmt"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Across is an axis whose points are the columns of a table of transfers.
type Across struct {
	Axis  material.Axis
	Title string
	Share bool // a cell also says its share of the first one in its row
}

// Tables say how fast transfers are, of which a row is a line of a chart; none where all are
// at one point. The modes of a framework stand side by side, and the references last.
func (a Across) Tables(m *material.Material, list []lines.Line) (tables []table.Table) {
	for _, g := range material.Joined(m.Group(list, a.Axis), "mode") {
		if names := pointNames(g, a.Axis); len(names) > 1 {
			tables = append(tables, a.table(g, names))
		}
	}
	return tables
}

// pointNames are the points of the axis, sorted.
func pointNames(g *material.Group, a material.Axis) (names []string) {
	for _, t := range ticksOf(g, a) {
		names = append(names, t.Name)
	}
	return names
}

func (a Across) table(g *material.Group, points []string) table.Table {
	t := table.Table{Title: "By " + a.Title + ": " + g.Title(), Text: 2, Head: []string{"framework", "mode"}}
	g.SortByFramework()
	for _, v := range g.Variants {
		t.Rows = append(t.Rows, []string{v.Label, cmp.Or(v.Lines[0].Get("mode"), number.Missing)})
	}
	bases := make([]float64, len(g.Variants))
	for _, point := range points {
		s := a.speedAt(g, point)
		t.Head = append(t.Head, point+" "+s.unit)
		for i, v := range g.Variants {
			t.Rows[i] = append(t.Rows[i], a.cell(a.values(v, point, s), &bases[i]))
		}
	}
	return t.Without("mode", number.Missing)
}

// speed is how the speed of transfers is told.
type speed struct {
	unit   string
	metric material.Metric
	size   float64
}

// speedAt is in MB/s, or at a point where all transfers are too small for that the median
// time.
func (a Across) speedAt(g *material.Group, point string) speed {
	rate := speed{"MB/s", material.Metric{Value: "MB/s"}, 1}
	for _, v := range g.Variants {
		if len(a.values(v, point, rate)) > 0 {
			return rate
		}
	}
	return speed{"µs", material.Metric{Value: "p50-ns"}, 1e3}
}

// values are a variant's speeds at a point in all rounds.
func (a Across) values(v *material.Variant, point string, s speed) (values []float64) {
	for _, r := range v.Points(a.Axis, s.metric) {
		if r.Name != point {
			continue
		}
		for _, value := range r.Values {
			values = append(values, value/s.size)
		}
	}
	return values
}

// cell is the median with its spread, and with Share its share of the base, which is the first
// of its row.
func (a Across) cell(values []float64, base *float64) string {
	if len(values) == 0 {
		return number.Missing
	}
	text, middle := number.WithSpread(values), pairs.Median(values)
	switch {
	case !a.Share:
	case *base == 0:
		*base = middle
	default:
		text += fmt.Sprintf(" (%.0f %%)", 100*middle / *base)
	}
	return text
}
