package draw

import (
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Percentiles has a curve of the response times of each row with records.
func Percentiles(m *material.Material) chart.Section {
	s := chart.Section{
		ID: "percentiles", Title: "Percentile curves",
		Note:    "Response time that so many per cent of the calls did not exceed, of all rounds together. Each step to the right is ten times rarer; a curve ends at its slowest call.",
		Figures: []chart.Figure{{ID: "percentiles", Title: "response time", Unit: "ns"}},
	}
	recorded := slices.DeleteFunc(m.Calls(), func(l lines.Line) bool { return m.Notes.Response(l) == nil })
	for _, g := range m.Group(recorded, material.None()) {
		s.Panels = append(s.Panels, panel(g))
		s.Figures[0].Charts = append(s.Figures[0].Charts, curves(m, g))
	}
	return s
}

func curves(m *material.Material, g *material.Group) chart.Chart {
	c := chart.Chart{X: "percentile", Scale: "percentile"}
	for _, v := range g.Variants {
		s := series(v)
		s.Points = curve(m.Notes.Response(v.Lines[0]))
		c.Series = append(c.Series, s)
		c.Rounds = max(c.Rounds, len(v.Lines))
	}
	return c
}

// perDecade is how many points a curve has for each tenfold.
const perDecade = 8

// curve goes from the fastest call to the slowest.
func curve(h *hdrhistogram.Histogram) (list []chart.Point) {
	end := math.Log10(float64(h.TotalCount()))
	steps := int(math.Ceil(end * perDecade))
	for i := range steps {
		x := float64(i) / perDecade
		value := chart.Number(h.ValueAtQuantile(100 * (1 - math.Pow(10, -x))))
		list = append(list, chart.Point{chart.Number(x), value, value, value})
	}
	slowest := chart.Number(h.Max()) // one call in all is this slow, and none beyond the end
	return append(list, chart.Point{chart.Number(end), slowest, slowest, slowest})
}
