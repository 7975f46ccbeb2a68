// Package draw makes charts and tables of material. It knows no benchmark: what is shown of
// one is said by its view.
package draw

import (
	"cmp"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Section says how charts of one question are made.
type Section struct {
	ID, Title, Note string                             // as in chart.Section
	Axis            *material.Axis                     // nil: that of each benchmark's own
	Each            func(point string) material.Metric // a metric for each point of the axis; nil: none
	Metrics         []material.Metric
	Chart           func(g *material.Group) chart.Chart // the one chart of a panel, of the one metric; nil: values over the axis
	Only            func(g *material.Group) bool        // the panels that are shown; nil: all
	Why             string                              // it is absent, if no line has a metric
}

// Part is lines over an axis.
type Part struct {
	Lines []lines.Line
	Axis  material.Axis
}

// Charts makes the panels and charts of a section. A panel of which no line has any of the
// metrics is left out.
func (s Section) Charts(m *material.Material, parts ...Part) chart.Section {
	drawn := chart.Section{ID: s.ID, Title: s.Title, Note: s.Note}
	metrics := slices.Concat(s.each(m, parts), s.Metrics)
	for _, f := range metrics {
		drawn.Figures = append(drawn.Figures, chart.Figure{ID: f.ID, Title: f.Title, Unit: f.Unit})
	}
	usual := false
	for _, p := range parts {
		for _, g := range m.Group(p.Lines, p.Axis) {
			if charts := s.chartsOf(g, p.Axis, metrics); charts != nil && (s.Only == nil || s.Only(g)) {
				if g.Usual() && !usual {
					drawn.First, usual = len(drawn.Panels), true
				}
				drawn.Panels = append(drawn.Panels, panel(g))
				for i, c := range charts {
					drawn.Figures[i].Charts = append(drawn.Figures[i].Charts, c)
				}
			}
		}
	}
	drawn.Figures = withLines(drawn.Figures)
	return drawn
}

// withLines leaves out figures whose charts are all empty.
func withLines(list []chart.Figure) []chart.Figure {
	return slices.DeleteFunc(list, func(f chart.Figure) bool {
		return !slices.ContainsFunc(f.Charts, func(c chart.Chart) bool { return len(c.Series) > 0 })
	})
}

// each are the metrics of the points of the axis, in the order of the lines.
func (s Section) each(m *material.Material, parts []Part) (metrics []material.Metric) {
	if s.Each == nil {
		return nil
	}
	for _, p := range parts {
		all := material.Group{Variants: []*material.Variant{{Lines: p.Lines}}}
		points, _ := all.Points(p.Axis)
		for _, point := range points {
			metrics = append(metrics, s.Each(point))
		}
	}
	return metrics
}

func panel(g *material.Group) chart.Panel { return chart.Panel{Name: g.Title(), Codec: g.Codec} }

// chartsOf has a chart for each metric; nil if no line has any.
func (s Section) chartsOf(g *material.Group, a material.Axis, metrics []material.Metric) (charts []chart.Chart) {
	ticks := ticksOf(g, a)
	for _, f := range metrics {
		if s.Chart != nil {
			charts = append(charts, s.Chart(g))
			continue
		}
		charts = append(charts, chartOf(g, a, f, ticks))
	}
	if !slices.ContainsFunc(charts, func(c chart.Chart) bool { return len(c.Series) > 0 }) {
		return nil
	}
	return charts
}

// ticksOf are the points of the axis in all lines of a panel, sorted.
func ticksOf(g *material.Group, a material.Axis) (list []chart.Tick) {
	names, firsts := g.Points(a)
	for i, name := range names {
		at := float64(i)
		if a.X != nil {
			at = a.X(firsts[i])
		}
		list = append(list, chart.Tick{At: chart.Number(at), Name: name})
	}
	slices.SortStableFunc(list, func(s, t chart.Tick) int { return cmp.Compare(s.At, t.At) })
	return list
}

// chartOf draws one metric over the axis.
func chartOf(g *material.Group, a material.Axis, f material.Metric, ticks []chart.Tick) chart.Chart {
	c := chart.Chart{X: a.Title, Scale: a.Scale}
	places := map[string]chart.Number{}
	for _, t := range ticks {
		places[t.Name] = t.At
	}
	for _, v := range g.Variants {
		s := series(v)
		for _, r := range v.Points(a, f) {
			s.Points = append(s.Points, pointOf(r, places))
			c.Rounds = max(c.Rounds, len(r.Values))
		}
		if len(s.Points) == 0 {
			continue
		}
		if a.Scale == "" {
			s.Points = s.Points[:1]
		}
		slices.SortFunc(s.Points, func(p, q chart.Point) int { return cmp.Compare(p[0], q[0]) })
		c.Series = append(c.Series, s)
	}
	return c.Over(ticks)
}

// series describes a variant, without points.
func series(v *material.Variant) chart.Series {
	return chart.Series{Framework: v.Framework, Label: v.Label, Style: v.Style, Beside: v.Rank() == rank.Beside}
}

// pointOf is at the median of its values of X, since a rate may be found anew in each round,
// or where it has none at its tick.
func pointOf(r *material.Repeats, places map[string]chart.Number) chart.Point {
	x := places[r.Name]
	if len(r.Xs) > 0 {
		x = chart.Number(pairs.Median(r.Xs))
	}
	return chart.Point{x, chart.Number(pairs.Median(r.Values)), chart.Number(slices.Min(r.Lowest)), chart.Number(slices.Max(r.Highest))}
}
