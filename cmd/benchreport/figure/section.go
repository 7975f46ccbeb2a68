package figure

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Section is figures of one question, each for the same panels.
type Section struct {
	ID      string   `json:"id"` // a word
	Title   string   `json:"title"`
	Note    string   `json:"note"` // what it shows
	Panels  []Panel  `json:"panels"`
	Figures []Figure `json:"figures"`
}

// Panel is what the lines of a chart have in common.
type Panel struct {
	Name  string   `json:"name"`  // as in "Echo, 1KiB"
	Notes []string `json:"notes"` // why not to trust some of it

	bench string
	keys  []lines.Key
}

// Figure is one metric, charted for each panel.
type Figure struct {
	ID     string  `json:"id"` // a word, with a hyphen at most
	Title  string  `json:"title"`
	Unit   string  `json:"unit"`   // of the values: ns or calls/s
	Charts []Chart `json:"charts"` // one for each panel
}

// Chart is lines over X, or where there is one point for each only, bars.
type Chart struct {
	Bars   bool     `json:"bars"`
	X      string   `json:"x"`      // the name of the axis
	Scale  string   `json:"scale"`  // of X: log, linear or percentile, which is log10(1/(1-q))
	Rounds int      `json:"rounds"` // most repeats behind a point
	Series []Series `json:"series"` // none: no line has the metric
}

// Series is one variant.
type Series struct {
	Framework string  `json:"framework"`
	Label     string  `json:"label"`
	Style     int     `json:"style"` // from 0, tells apart variants of a framework
	Warned    bool    `json:"warned"`
	Points    []Point `json:"points"` // by X
}

// Point is X, and the median, lowest and highest of the rounds.
type Point [4]number

// MarshalJSON leaves out a range that is none.
func (p Point) MarshalJSON() ([]byte, error) {
	if p[2] == p[1] && p[3] == p[1] {
		return json.Marshal(p[:2])
	}
	return json.Marshal(p[:])
}

// axis is what charts of a section are drawn over.
type axis struct {
	title, scale string
	keys         []string // of a line's name that tell a point
	x            func(l lines.Line) float64
}

// metric is a figure's.
type metric struct{ id, title, unit, values string }

func times(id string) []metric {
	return []metric{
		{id + "-p50", "p50", "ns", "p50-ns"},
		{id + "-p99", "p99", "ns", "p99-ns"},
		{id + "-p99.9", "p99.9", "ns", "p99.9-ns"},
	}
}

var (
	callers = axis{"callers", "log", []string{"conc"}, func(l lines.Line) float64 {
		x, _ := strconv.ParseFloat(l.Get("conc"), 64)
		return x
	}}
	rates = axis{"offered calls/s", "linear", []string{"rate", "load"}, offeredBy}
	none  = axis{x: func(lines.Line) float64 { return 0 }}
)

func (m *material) throughput() Section {
	s := Section{ID: "throughput", Title: "Throughput", Note: "Correct replies per second of a closed loop: so many callers, each of whom calls again when the last call has returned."}
	return m.fill(s, m.closed, callers, []metric{{"throughput", "calls/s", "calls/s", "calls/s"}})
}

func (m *material) latency() Section {
	s := Section{ID: "latency", Title: "Latency against concurrency", Note: "Response times of the same closed loops. They say how long a call takes among so many, not what users wait at a given rate."}
	return m.fill(s, having(m.closed, "p50-ns"), callers, times("latency"))
}

func (m *material) offered() Section {
	s := Section{ID: "rate", Title: "Latency against offered rate", Note: "Open loop: calls are due at a rate, whether or not earlier ones have returned, and times run from when a call was due. Near its capacity a framework's line turns up."}
	return m.fill(s, m.open, rates, append(times("rate"), metric{"rate-achieved", "achieved calls/s", "calls/s", "calls/s"}))
}

func (m *material) cpu() Section {
	s := Section{ID: "cpu", Title: "CPU per call", Note: "User and system time of each side's process, divided by its calls: the steadiest figures on a shared machine."}
	list := having(slices.Concat(m.closed, m.open), "client-cpu-ns/op", "server-cpu-ns/op")
	return m.fill(s, list, none, []metric{
		{"cpu-client", "client", "ns", "client-cpu-ns/op"},
		{"cpu-server", "server", "ns", "server-cpu-ns/op"},
	})
}

// having are the lines that have all the units.
func having(list []lines.Line, units ...string) []lines.Line {
	return slices.DeleteFunc(slices.Clone(list), func(l lines.Line) bool {
		return slices.ContainsFunc(units, func(unit string) bool { _, ok := l.Values[unit]; return !ok })
	})
}

// fill makes the panels and charts of a section.
func (m *material) fill(s Section, list []lines.Line, a axis, metrics []metric) Section {
	groups := group(list, a.keys)
	for _, f := range metrics {
		s.Figures = append(s.Figures, Figure{ID: f.id, Title: f.title, Unit: f.unit})
	}
	for _, g := range groups {
		s.Panels = append(s.Panels, g.panel(m))
		for i, f := range metrics {
			s.Figures[i].Charts = append(s.Figures[i].Charts, g.chart(m, a, f.values))
		}
	}
	return s
}
