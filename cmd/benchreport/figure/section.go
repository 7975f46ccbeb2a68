package figure

import (
	"slices"

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
	Name    string   `json:"name"`    // as in "Echo, 1KiB"
	Doubted []string `json:"doubted"` // labels of variants of which a row is in doubt
}

// Figure is one metric, charted for each panel.
type Figure struct {
	ID     string  `json:"id"` // a word, with hyphens
	Title  string  `json:"title"`
	Unit   string  `json:"unit"`   // of the values: ns, calls/s, MB/s, B or %
	Charts []Chart `json:"charts"` // one for each panel
}

// view is how a section comes about.
type view struct {
	id, title, note string
	parts           []part
	metrics         []metric
	only            func(g *lineGroup) bool // the panels that are shown; nil: all
	why             string                  // it is absent
}

// part is the lines of a subject over an axis.
type part struct {
	subject subject
	axis    axis
}

func unit(id, title, unit, value string) metric {
	return metric{id: id, title: title, unit: unit, value: value}
}

func times(id string) []metric {
	return []metric{
		unit(id+"-p50", "p50", "ns", "p50-ns"),
		unit(id+"-p99", "p99", "ns", "p99-ns"),
		unit(id+"-p99.9", "p99.9", "ns", "p99.9-ns"),
	}
}

func rate(id string) metric { return unit(id, "calls/s", "calls/s", "calls/s") }

// callViews are the sections about calls.
func callViews() []view {
	return slices.Concat(closedViews(), openViews(), otherViews(), networkViews())
}

// closedViews are the sections about callers that call again and again.
func closedViews() []view {
	return []view{
		{
			"throughput", "Throughput", "Correct replies per second of a closed loop: so many callers, each of whom calls again when the last call has returned.",
			[]part{{closed, callers}},
			[]metric{rate("throughput")},
			nil,
			"no line has calls/s of callers: run BenchmarkEcho or BenchmarkMessage",
		},
		{
			"latency", "Latency", "Response times of the same closed loops. They say how long a call takes among so many, not what users wait at a given rate.",
			[]part{{closed, callers}},
			times("latency"), nil,
			"no line has p50-ns of callers: run BenchmarkEcho or BenchmarkMessage",
		},
		{
			"size", "Size of the payload", "The same closed loops against the size of the payload, which the server sends back.",
			[]part{{closed, sizes}},
			append([]metric{rate("size-throughput")}, times("size")...), (*lineGroup).varied,
			"no lines differ in their size: run BenchmarkEcho with several -size",
		},
	}
}

// openViews are the sections about calls at a rate.
func openViews() []view {
	return []view{
		{
			"rate", "Latency at an offered rate", "Open loop: calls are due at a rate, whether or not earlier ones have returned, and times run from when a call was due. Near its capacity a framework's line turns up.",
			[]part{{open, rates}},
			append(times("rate"), unit("rate-achieved", "achieved calls/s", "calls/s", "calls/s")), nil,
			"no line has an offered rate: run BenchmarkRate with several -rate",
		},
		{
			"capacity", "Capacity", "The highest rate at which an objective holds, and the interval that the search gives for it.",
			[]part{{capacity, none}},
			[]metric{{id: "capacity", title: "calls/s", unit: "calls/s", value: "calls/s", low: "low-calls/s", high: "high-calls/s"}},
			nil, "no lines of BenchmarkCapacity",
		},
		{
			"load", "Latency at a part of the capacity", "Open loop at so many per cent of each framework's own capacity: all are equally busy, not equally fast.",
			[]part{{load, loads}},
			append(times("load"), unit("load-achieved", "achieved calls/s", "calls/s", "calls/s")), nil,
			"no lines of BenchmarkLoad",
		},
		overloadView(),
	}
}

// otherViews are the sections about benchmarks with a question of their own.
func otherViews() []view {
	return []view{
		{
			"bulk", "Large transfers", "Payload there and back, of which MB/s counts one way; every byte is compared.",
			[]part{{bulk, sizes}},
			[]metric{unit("bulk", "MB/s", "MB/s", "MB/s"), unit("bulk-p50", "p50", "ns", "p50-ns"), unit("bulk-p99", "p99", "ns", "p99-ns")},
			nil,
			"no lines of BenchmarkBulk",
		},
		{
			"stall", "A server that stands still", "What a closed and an open loop see of the same pauses: a closed loop delays the very calls that would have met them.",
			[]part{{stall, loops}},
			times("stall"), nil, "no lines of BenchmarkStall",
		},
		{
			"workload", "Workloads", "A closed loop whose handler does some work: how much of a framework's lead is left?",
			[]part{{workload, workings}},
			append([]metric{rate("workload")}, times("workload")...), nil, "no lines of BenchmarkWorkload",
		},
	}
}

// lastViews are the sections that follow the percentile curves.
func lastViews() []view {
	return []view{
		{
			"cpu", "CPU per call", "User and system time of each side's process, divided by its calls: the steadiest figures on a shared machine.",
			[]part{{closed, none}, {open, none}, {workload, none}, {bulk, none}},
			[]metric{unit("cpu-client", "client", "ns", "client-cpu-ns/op"), unit("cpu-server", "server", "ns", "server-cpu-ns/op")},
			nil,
			"no line has client-cpu-ns/op and server-cpu-ns/op",
		},
		{
			"failed", "Failed calls", "Calls that failed, or that were dropped since all workers were busy, of all that were due. Panels without any are left out.",
			[]part{{closed, callers}, {open, rates}, {load, loads}, {bulk, sizes}, {stall, loops}, {workload, workings}},
			[]metric{{id: "failed", title: "failed or dropped", unit: "%", of: failures}},
			(*lineGroup).failing,
			"no call failed",
		},
	}
}

// failures is how many per cent of a line's calls failed or were dropped.
func failures(l lines.Line) (percent float64, ok bool) {
	errors, ok := l.Values["errors"]
	return 100 * (errors + l.Values["dropped"]) / float64(max(l.Calls, 1)), ok
}

// failing reports whether a call failed.
func (g *lineGroup) failing() bool {
	return slices.ContainsFunc(g.variants, func(v *variant) bool {
		return slices.ContainsFunc(v.lines, func(l lines.Line) bool { p, _ := failures(l); return p > 0 })
	})
}

// varied reports whether the lines differ in their size.
func (g *lineGroup) varied() bool {
	_, one := g.only("size")
	return !one && g.variants[0].lines[0].Get("size") != ""
}

// several tells panels whose lines have several points of an axis.
func several(a axis) func(g *lineGroup) bool {
	return func(g *lineGroup) bool { return len(g.ticks(a)) > 1 }
}

// codecView has a figure for each operation.
func (m *material) codecView() view {
	v := view{
		id: "codec", title: "Serializers", note: "Time of one operation on one message, without any RPC, and the bytes of the encoded message.",
		parts: []part{{codec, ops}}, why: "no lines of BenchmarkCodec: run make bench-codecs and give its text as well",
	}
	known := seen{}
	for _, l := range m.lines[codec] {
		if op := l.Get("op"); known.isNew(op) {
			v.metrics = append(v.metrics, metric{id: "codec-" + op, title: op, unit: "ns", value: "ns/op", op: op})
		}
	}
	v.metrics = append(v.metrics, unit("codec-bytes", "encoded", "B", "encoded-B"))
	return v
}

// fill makes the panels and charts of a section. A panel of which no line has
// any of the metrics is left out.
func (m *material) fill(v view) Section {
	s := Section{ID: v.id, Title: v.title, Note: v.note}
	for _, f := range v.metrics {
		s.Figures = append(s.Figures, Figure{ID: f.id, Title: f.title, Unit: f.unit})
	}
	for _, p := range v.parts {
		for _, g := range group(m.lines[p.subject], p.axis) {
			if v.only == nil || v.only(g) {
				s.add(m, g, p.axis, v.metrics)
			}
		}
	}
	return s
}

func (s *Section) add(m *material, g *lineGroup, a axis, metrics []metric) {
	charts, some := make([]Chart, len(metrics)), false
	ticks := g.ticks(a)
	places := placesOf(ticks)
	for i, f := range metrics {
		charts[i] = g.chart(a, f, ticks, places)
		some = some || len(charts[i].Series) > 0
	}
	if !some {
		return
	}
	s.Panels = append(s.Panels, g.panel(m))
	for i, c := range charts {
		s.Figures[i].Charts = append(s.Figures[i].Charts, c)
	}
}
