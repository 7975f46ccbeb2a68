package figure

import (
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

func (m *material) percentiles() Section {
	s := Section{
		ID: "percentiles", Title: "Percentile curves",
		Note:    "Response time that so many per cent of the calls did not exceed, of all rounds together. Each step to the right is ten times rarer; a curve ends at its slowest call.",
		Figures: []Figure{{ID: "percentiles", Title: "response time", Unit: "ns"}},
	}
	recorded := slices.DeleteFunc(m.of(ofCalls...), func(l lines.Line) bool { return m.responses[l.Row()] == nil })
	for _, g := range group(recorded, none) {
		s.Panels = append(s.Panels, g.panel(m))
		s.Figures[0].Charts = append(s.Figures[0].Charts, g.curves(m))
	}
	return s
}

func (g *lineGroup) curves(m *material) Chart {
	c := Chart{X: "percentile", Scale: "percentile"}
	for _, v := range g.variants {
		name := v.lines[0].Row()
		c.Series = append(c.Series, Series{
			Framework: v.framework, Label: v.label, Style: v.style, Beside: v.rank() == beside,
			Points: curve(m.responses[name]),
		})
		c.Rounds = max(c.Rounds, len(v.lines))
	}
	return c
}

// perDecade is how many points a curve has for each tenfold.
const perDecade = 8

// curve goes from the fastest call to the slowest.
func curve(h *hdrhistogram.Histogram) (list []Point) {
	end := math.Log10(float64(h.TotalCount()))
	steps := int(math.Ceil(end * perDecade))
	for i := range steps {
		x := float64(i) / perDecade
		value := number(h.ValueAtQuantile(100 * (1 - math.Pow(10, -x))))
		list = append(list, Point{number(x), value, value, value})
	}
	slowest := number(h.Max()) // one call in all is this slow, and none beyond the end
	return append(list, Point{number(end), slowest, slowest, slowest})
}
