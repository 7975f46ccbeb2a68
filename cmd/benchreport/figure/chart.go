package figure

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Chart is lines over X, or where there is one point for each only, bars.
type Chart struct {
	Bars   bool     `json:"bars"`
	X      string   `json:"x"`              // the name of the axis
	Only   string   `json:"only,omitempty"` // the point of all bars, where the panel has others
	Scale  string   `json:"scale"`          // of X: log, linear, names or percentile, which is log10(1/(1-q))
	Ticks  []Tick   `json:"ticks"`          // of X, from left to right; none: wherever they fit
	Rounds int      `json:"rounds"`         // most repeats behind a point
	Series []Series `json:"series"`         // none: no line has the metric
}

// WithoutBeside leaves out what stands beside a ranked series.
func (c Chart) WithoutBeside() Chart {
	c.Series = slices.DeleteFunc(slices.Clone(c.Series), func(s Series) bool { return s.Beside })
	return c
}

// Tick is a value of X that has a name.
type Tick struct {
	At   number `json:"at"`
	Name string `json:"name"`
}

// Series is one variant.
type Series struct {
	Framework string  `json:"framework"` // "" for a serializer
	Label     string  `json:"label"`
	Style     int     `json:"style"`  // from 0, tells apart variants of a framework
	Beside    bool    `json:"-"`      // it stands beside a ranked one
	Points    []Point `json:"points"` // by X
}

// Point is X, and the median, lowest and highest of the rounds.
type Point [4]number

// MarshalJSON leaves out an empty range.
func (p Point) MarshalJSON() ([]byte, error) {
	if p[2] == p[1] && p[3] == p[1] {
		return json.Marshal(p[:2])
	}
	return json.Marshal(p[:])
}

// metric is a figure's.
type metric struct {
	id, title, unit string
	value           string                             // the unit of a line
	low, high       string                             // units of the ends of its interval; "" for the range of the rounds
	op              string                             // of the lines that may have it; "" for all
	of              func(l lines.Line) (float64, bool) // instead of a unit
}

func (f metric) from(l lines.Line) (value float64, ok bool) {
	if f.of != nil {
		return f.of(l)
	}
	value, ok = l.Values[f.value]
	return value, ok
}

// chart draws one metric over the axis.
func (g *lineGroup) chart(a axis, f metric, ticks []Tick, places map[string]number) Chart {
	c := Chart{X: a.title, Scale: a.scale, Bars: true}
	for _, v := range g.variants {
		s := Series{Framework: v.framework, Label: v.label, Style: v.style, Beside: v.rank() == beside}
		for _, p := range v.points(a, f) {
			s.Points = append(s.Points, p.point(places))
			c.Rounds = max(c.Rounds, len(p.values))
		}
		if len(s.Points) == 0 {
			continue
		}
		if a.scale == "" {
			s.Points = s.Points[:1]
		}
		slices.SortFunc(s.Points, func(p, q Point) int { return cmp.Compare(p[0], q[0]) })
		c.Bars = c.Bars && len(s.Points) == 1
		c.Series = append(c.Series, s)
	}
	return c.ticked(a, ticks).named()
}

// ticked gives the axis its ticks, and a log axis only those at which there are points.
// Series of one point each at several ticks are no bars, which would compare them.
func (c Chart) ticked(a axis, ticks []Tick) Chart {
	if a.scale == "" || a.scale == "linear" {
		return c
	}
	shown := slices.DeleteFunc(slices.Clone(ticks), func(t Tick) bool { return !c.has(t.At) })
	c.Bars = c.Bars && len(shown) < 2
	switch {
	case c.Bars && len(ticks) > 1 && len(shown) > 0:
		c.Only = a.title + " " + shown[0].Name
	case !c.Bars && a.scale == "log":
		c.Ticks = shown
	case !c.Bars:
		c.Ticks = slices.Clone(ticks)
	}
	return c
}

// has reports whether a series has a point there.
func (c Chart) has(x number) bool {
	return slices.ContainsFunc(c.Series, func(s Series) bool {
		return slices.ContainsFunc(s.Points, func(p Point) bool { return p[0] == x })
	})
}

// ticks are the values of the axis in all lines of a panel.
func (g *lineGroup) ticks(a axis) (list []Tick) {
	known := seen{}
	for _, v := range g.variants {
		for _, l := range v.lines {
			name := a.name(l)
			if !known.isNew(name) {
				continue
			}
			at := float64(len(list))
			if a.x != nil {
				at = a.x(l)
			}
			list = append(list, Tick{number(at), name})
		}
	}
	slices.SortStableFunc(list, func(s, t Tick) int { return cmp.Compare(s.At, t.At) })
	return list
}

// placesOf are the values of ticks by their names.
func placesOf(ticks []Tick) map[string]number {
	places := map[string]number{}
	for _, t := range ticks {
		places[t.Name] = t.At
	}
	return places
}

// named has ticks side by side where a log scale has no place for one: 0B.
func (c Chart) named() Chart {
	if c.Scale != "log" || len(c.Ticks) == 0 || c.Ticks[0].At > 0 {
		return c
	}
	c.Scale = "names"
	place := map[number]number{}
	for i := range c.Ticks {
		place[c.Ticks[i].At] = number(i)
		c.Ticks[i].At = number(i)
	}
	for _, s := range c.Series {
		for i := range s.Points {
			s.Points[i][0] = place[s.Points[i][0]]
		}
	}
	return c
}

// repeats are the values of one line.
type repeats struct {
	full, name      string // name is that of its tick
	lines           []lines.Line
	xs, values      []float64
	lowest, highest []float64
	slower          float64 // calls beyond the metric in all of them, if it is a percentile
}

// having are the lines of a variant that may have a metric.
func (v *variant) having(f metric) []lines.Line {
	if f.op != "" {
		return v.byOp[f.op]
	}
	return v.lines
}

// points are the lines of a variant that have the metric, with their repeats. A
// percentile of too few calls is left out.
func (v *variant) points(a axis, f metric) (list []*repeats) {
	known := map[string]*repeats{}
	for _, l := range v.having(f) {
		value, ok := f.from(l)
		if !ok {
			continue
		}
		r := known[l.Row()]
		if r == nil {
			r = &repeats{full: l.Full, name: a.name(l)}
			known[l.Row()], list = r, append(list, r)
		}
		r.add(a, f, l, value)
	}
	return slices.DeleteFunc(list, func(r *repeats) bool { return !r.enough() })
}

func (r *repeats) add(a axis, f metric, l lines.Line, value float64) {
	if a.x != nil {
		r.xs = append(r.xs, a.x(l))
	}
	end := func(unit string) float64 {
		if v, ok := l.Values[unit]; ok && unit != "" {
			return v
		}
		return value
	}
	r.lines = append(r.lines, l)
	r.slower += slower(l, f.value)
	r.values = append(r.values, value)
	r.lowest, r.highest = append(r.lowest, end(f.low)), append(r.highest, end(f.high))
}

// point is at the median of its values of X, since a rate may be found anew in
// each round, or where it has none at its tick.
func (r *repeats) point(places map[string]number) Point {
	x := places[r.name]
	if len(r.xs) > 0 {
		x = number(median(r.xs))
	}
	return Point{x, number(median(r.values)), number(slices.Min(r.lowest)), number(slices.Max(r.highest))}
}

// median is the middle of values, one at least, or the mean of the middle two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
