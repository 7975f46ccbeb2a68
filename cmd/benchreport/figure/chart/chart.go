// Package chart holds charts as plain data, which the page's script draws.
package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Section is figures of one question, each for the same panels.
type Section struct {
	ID      string   `json:"id"` // a word
	Title   string   `json:"title"`
	Note    string   `json:"note"` // what it shows
	Panels  []Panel  `json:"-"`
	First   int      `json:"-"` // the panel that is shown first
	Figures []Figure `json:"figures"`
}

// Panel is what the lines of a chart have in common.
type Panel struct {
	Name  string // as in "Echo, 1KiB"
	Codec string // the serializer of all frameworks; "" if they differ
}

// String is the name, and the serializer if it is that of all.
func (p Panel) String() string {
	if p.Codec == "" {
		return p.Name
	}
	return p.Name + ", " + p.Codec
}

// Figure is one metric, charted for each panel.
type Figure struct {
	ID     string  `json:"id"` // a word, with hyphens
	Title  string  `json:"title"`
	Unit   string  `json:"unit"`   // of the values: ns, calls/s, MB/s, B or %
	Charts []Chart `json:"charts"` // one for each panel
}

// Chart is lines over X, or bars: where each series has one point, or stacked, where the points
// of a series are the pieces of its bar, from left to right.
type Chart struct {
	Bars    bool     `json:"bars"`
	Stacked bool     `json:"stacked,omitempty"` // each tick is a kind of pieces
	X       string   `json:"x"`                 // the name of the axis
	Only    string   `json:"only,omitempty"`    // the point of all bars, where the panel has others
	Scale   string   `json:"scale"`             // of X: log, linear, names or percentile, which is log10(1/(1-q)); "" where there is one point only
	Ticks   []Tick   `json:"ticks"`             // of X, from left to right; none: wherever they fit
	Rounds  int      `json:"rounds"`            // most repeats behind a point
	Series  []Series `json:"series"`            // none: no line has the metric
}

// Tick is a value of X that has a name.
type Tick struct {
	At   Number `json:"at"`
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
type Point [4]Number

// MarshalJSON leaves out an empty range.
func (p Point) MarshalJSON() ([]byte, error) {
	if p[2] == p[1] && p[3] == p[1] {
		return json.Marshal(p[:2])
	}
	return json.Marshal(p[:])
}

// Number is a value that needs no more than five digits.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return nil, fmt.Errorf("%v is no number for a chart", float64(n))
	}
	return fmt.Appendf(nil, "%.5g", float64(n)), nil
}

// WithoutBeside leaves out what stands beside a ranked series.
func (c Chart) WithoutBeside() Chart {
	c.Series = slices.DeleteFunc(slices.Clone(c.Series), func(s Series) bool { return s.Beside })
	return c
}

// Undraw leaves out the series of some frameworks.
func (s *Section) Undraw(frameworks map[string]bool) {
	for _, f := range s.Figures {
		for i, c := range f.Charts {
			f.Charts[i].Series = slices.DeleteFunc(c.Series, func(s Series) bool { return frameworks[s.Framework] })
		}
	}
}

// Over gives the axis its ticks, which are sorted: all of them, or on a log scale those with
// points. Series of one point each become bars, unless their points are at several ticks,
// since bars would compare them.
func (c Chart) Over(ticks []Tick) Chart {
	c.Bars = !slices.ContainsFunc(c.Series, func(s Series) bool { return len(s.Points) != 1 })
	if c.Scale == "" || c.Scale == "linear" {
		return c
	}
	shown := slices.DeleteFunc(slices.Clone(ticks), func(t Tick) bool { return !c.has(t.At) })
	c.Bars = c.Bars && len(shown) < 2
	switch {
	case c.Bars && len(ticks) > 1 && len(shown) > 0:
		c.Only = c.X + " " + shown[0].Name
	case !c.Bars && c.Scale == "log":
		c.Ticks = shown
	case !c.Bars:
		c.Ticks = slices.Clone(ticks)
	}
	return c.named()
}

// has reports whether a series has a point there.
func (c Chart) has(x Number) bool {
	return slices.ContainsFunc(c.Series, func(s Series) bool {
		return slices.ContainsFunc(s.Points, func(p Point) bool { return p[0] == x })
	})
}

// named puts the ticks side by side where one is at 0, as 0B is, which has no place on a log
// scale.
func (c Chart) named() Chart {
	if c.Scale != "log" || len(c.Ticks) == 0 || c.Ticks[0].At > 0 {
		return c
	}
	c.Scale = "names"
	place := map[Number]Number{}
	for i := range c.Ticks {
		place[c.Ticks[i].At] = Number(i)
		c.Ticks[i].At = Number(i)
	}
	for _, s := range c.Series {
		for i := range s.Points {
			s.Points[i][0] = place[s.Points[i][0]]
		}
	}
	return c
}
