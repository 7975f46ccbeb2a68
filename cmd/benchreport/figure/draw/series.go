package draw

import (
	"cmp"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
)

// fewestPoints are the intervals of a run that are worth a line.
const fewestPoints = 3

// interval is what is shown of each interval of a run; false if it has no such value.
type interval struct {
	id, title, unit string
	of              func(run *record.Record, p record.Point, seconds float64) (value float64, ok bool)
}

func intervals() []interval {
	return []interval{
		{"series-rate", "correct replies/s", "calls/s", func(_ *record.Record, p record.Point, s float64) (float64, bool) { return float64(p.OK) / s, s > 0 }},
		{"series-failed", "failed calls/s", "calls/s", func(run *record.Record, p record.Point, s float64) (float64, bool) {
			return float64(p.Failed) / s, s > 0 && run.Failed > 0
		}},
		{"series-p50", "p50", "ns", func(_ *record.Record, p record.Point, _ float64) (float64, bool) { return float64(p.P50), p.P50 > 0 }},
		{"series-p99", "p99", "ns", func(_ *record.Record, p record.Point, _ float64) (float64, bool) { return float64(p.P99), p.P99 > 0 }},
		{"series-max", "slowest", "ns", func(_ *record.Record, p record.Point, _ float64) (float64, bool) { return float64(p.Max), p.Max > 0 }},
	}
}

// Series has each interval of the runs with records, of rows with several the first run's.
func Series(m *material.Material) chart.Section {
	s := chart.Section{ID: "series", Title: "Over time", Note: "Each point is an interval of the run, by when its calls ended. A step, a slope or a saw says what percentiles of the whole run hide."}
	for _, in := range intervals() {
		s.Figures = append(s.Figures, chart.Figure{ID: in.id, Title: in.title, Unit: in.unit})
	}
	for _, g := range m.Group(m.Calls(), material.None()) {
		charts, some := make([]chart.Chart, len(s.Figures)), false
		for i, in := range intervals() {
			charts[i] = overTime(m, g, in)
			some = some || len(charts[i].Series) > 0
		}
		if !some {
			continue
		}
		s.Panels = append(s.Panels, panel(g))
		for i, c := range charts {
			s.Figures[i].Charts = append(s.Figures[i].Charts, c)
		}
	}
	s.Figures = withLines(s.Figures)
	return s
}

func overTime(m *material.Material, g *material.Group, in interval) chart.Chart {
	c := chart.Chart{X: "seconds", Scale: "linear"}
	for _, v := range g.Variants {
		s := series(v)
		run := m.Notes.Run(v.Lines[0])
		if run == nil || len(run.Series) < fewestPoints {
			continue
		}
		for i, p := range run.Series {
			if value, ok := in.of(run, p, length(run, i)); ok {
				x, y := chart.Number(float64(p.Start)/1e9), chart.Number(value)
				s.Points = append(s.Points, chart.Point{x, y, y, y})
			}
		}
		if len(s.Points) > 0 {
			c.Series = append(c.Series, s)
		}
	}
	return c
}

// length returns the seconds of an interval. Records of earlier versions do not say them: there
// all intervals are as long as the first, and the last ends with the run. An interval of less than
// half the first has 0, since a few calls in a moment are no rate.
func length(run *record.Record, i int) float64 {
	each := run.Series[1].Start - run.Series[0].Start
	of := each
	if i == len(run.Series)-1 {
		of = min(each, run.Elapsed-run.Series[i].Start)
	}
	if of = cmp.Or(run.Series[i].Length, of); of < each/2 {
		return 0
	}
	return float64(of) / 1e9
}
