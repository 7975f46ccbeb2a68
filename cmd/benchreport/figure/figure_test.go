package figure

import (
	"fmt"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func line(name string, values map[string]float64) lines.Line {
	return lines.Line{Name: lines.ParseName("Benchmark" + name), Values: values}
}

// calls is a line of 1,000 calls.
func calls(name string, rate float64) lines.Line {
	l := line(name, map[string]float64{"calls/s": rate, "p50-ns": 1e9 / rate})
	l.Calls = 1000
	return l
}

func report(list ...lines.Line) *Report { return New(&lines.Text{Lines: list}, nil) }

func section(t *testing.T, r *Report, id string) chart.Section {
	t.Helper()
	for _, s := range r.Sections {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("no section %s", id)
	return chart.Section{}
}

func TestRepeatsBecomeAMedianAndARange(t *testing.T) {
	s := section(t, report(
		calls("Echo/framework=a/size=1KiB/conc=100", 30), calls("Echo/framework=a/size=1KiB/conc=10", 5),
		calls("Echo/framework=a/size=1KiB/conc=100", 10), calls("Echo/framework=a/size=1KiB/conc=100", 20),
	), "throughput")
	require.Len(t, s.Panels, 1)
	assert.Equal(t, "Echo, 1KiB", s.Panels[0].Name)
	got := s.Figures[0].Charts[0]
	assert.False(t, got.Bars)
	assert.Equal(t, 3, got.Rounds)
	assert.Equal(t, []chart.Point{{10, 5, 5, 5}, {100, 20, 10, 30}}, got.Series[0].Points, "in the order of the axis")
}

func TestOnePointEachIsDrawnAsBars(t *testing.T) {
	s := section(t, report(calls("Echo/framework=a/conc=100", 30), calls("Echo/framework=b/conc=100", 5)), "throughput")
	assert.True(t, s.Figures[0].Charts[0].Bars)
	assert.Equal(t, "Echo, 100 callers", s.Panels[0].Name)
}

// TestBarsAreOfOnePoint of the axis: those at two sizes would compare what differs.
func TestBarsAreOfOnePoint(t *testing.T) {
	transfer := func(framework, size string) lines.Line {
		return values("Bulk/framework="+framework+"/mode=bytes/size="+size+"/parallel=1", "MB/s", 200)
	}
	small := calls("Bulk/framework=a/mode=bytes/size=256B/parallel=1", 9)
	for _, c := range []struct {
		about string
		lines []lines.Line
		bars  bool
		only  string
	}{
		{"of all lines of the panel", []lines.Line{transfer("a", "1MiB"), transfer("b", "1MiB")}, true, ""},
		{"of those that have the figure, which the chart says", []lines.Line{small, transfer("a", "1MiB"), transfer("b", "1MiB")}, true, "size 1MiB"},
		{"two sizes are drawn where they are", []lines.Line{transfer("a", "1MiB"), transfer("b", "4MiB")}, false, ""},
	} {
		_, got := drawn(t, report(c.lines...), "bulk")
		assert.Equal(t, c.bars, got.Bars, c.about)
		assert.Equal(t, c.only, got.Only, c.about)
	}
}

// TestWindowsTellSeriesApart in charts over the size of the payload.
func TestWindowsTellSeriesApart(t *testing.T) {
	const name = "Bulk/framework=a/mode=bytes/size=1MiB/parallel=1/net=none"
	s := section(t, report(values(name, "MB/s", 300), values(name+"/window=64KiB", "MB/s", 200)), "bulk")
	assert.Equal(t, []string{"a", "a window 64KiB"}, labels(s))
}

func TestVariantsAreNamedByWhatTheyDifferIn(t *testing.T) {
	s := section(t, report(
		calls("Echo/framework=a/transport=conn/codec=none/conc=1", 1), calls("Echo/framework=a/transport=mux/codec=none/conc=1", 1),
		calls("Echo/framework=b/transport=h2/codec=pb/conc=1", 1), calls("Echo/framework=a/transport=conn/codec=none/conc=1/profile=tuned", 1),
	), "throughput")
	var labels []string
	var styles []int
	for _, series := range s.Figures[0].Charts[0].Series {
		labels, styles = append(labels, series.Label), append(styles, series.Style)
	}
	assert.Equal(t, []string{"a conn", "a mux", "b", "a conn tuned"}, labels)
	assert.Equal(t, []int{0, 1, 0, 2}, styles, "of one colour, so they have lines of their own")
}

// offered is a line of an open loop.
func offered(name string, rate float64) lines.Line {
	l := calls(name, 9)
	l.Values["offered/s"] = rate
	return l
}

func values(name string, unit string, value float64, more ...any) lines.Line {
	l := calls(name, 7)
	l.Values[unit] = value
	for i := 0; i < len(more); i += 2 {
		l.Values[more[i].(string)] = more[i+1].(float64)
	}
	return l
}

func failed(name string, errors float64) lines.Line {
	l := values(name, "errors", errors)
	l.Calls = 200
	return l
}

func op(name string, ns float64) lines.Line {
	return line("Codec/codec="+name, map[string]float64{"ns/op": ns, "encoded-B": 581})
}

// TestEveryBenchmarkHasItsAxis draws a line of each as one figure.
func TestEveryBenchmarkHasItsAxis(t *testing.T) {
	for _, c := range []struct {
		about, figure string
		lines         []lines.Line
		panel, x      string
		bars          bool
		ticks         []string
		points        []chart.Point // of the first series
	}{
		{
			"callers of Echo", "throughput",
			[]lines.Line{calls("Echo/framework=a/size=1KiB/conc=10", 5), calls("Echo/framework=a/size=1KiB/conc=1", 1)},
			"Echo, 1KiB", "callers", false,
			[]string{"1", "10"},
			[]chart.Point{{1, 1, 1, 1}, {10, 5, 5, 5}},
		},
		{
			"of one number of callers there are bars, against nothing", "throughput",
			[]lines.Line{calls("Echo/framework=a/conc=10", 5)},
			"Echo, 10 callers", "callers", true, nil,
			[]chart.Point{{10, 5, 5, 5}},
		},
		{
			"sizes of Echo", "size-throughput",
			[]lines.Line{calls("Echo/framework=a/size=1MiB/conc=10", 5), calls("Echo/framework=a/size=64B/conc=10", 8)},
			"Echo, 10 callers", "size", false,
			[]string{"64B", "1MiB"},
			[]chart.Point{{64, 8, 8, 8}, {1 << 20, 5, 5, 5}},
		},
		{
			"no bytes have a place on no log scale", "size-throughput",
			[]lines.Line{calls("Echo/framework=a/size=1KiB", 5), calls("Echo/framework=a/size=0B", 8)},
			"Echo", "size", false,
			[]string{"0B", "1KiB"},
			[]chart.Point{{0, 8, 8, 8}, {1, 5, 5, 5}},
		},
		{
			"rates", "rate-p50",
			[]lines.Line{calls("Rate/framework=a/rate=1000", 10), calls("Rate/framework=a/rate=500", 10)},
			"Rate", "offered calls/s", false, nil,
			[]chart.Point{{500, 1e8, 1e8, 1e8}, {1000, 1e8, 1e8, 1e8}},
		},
		{
			"rates of a handler that works", "rate-p50",
			[]lines.Line{calls("Rate/framework=a/workload=db/rate=1000", 10), calls("Rate/framework=a/workload=db/rate=500", 10)},
			"Rate, db", "offered calls/s", false, nil,
			[]chart.Point{{500, 1e8, 1e8, 1e8}, {1000, 1e8, 1e8, 1e8}},
		},
		{
			"parts of the capacity, whatever rate that is", "load-achieved",
			[]lines.Line{offered("Load/framework=a/load=90%", 900), offered("Load/framework=a/load=10%", 100), offered("Load/framework=a/load=10%", 120)},
			"Load", "% of the capacity", false, nil,
			[]chart.Point{{10, 9, 9, 9}, {90, 9, 9, 9}},
		},
		{
			"a capacity with its interval, not the range of the rounds", "capacity",
			[]lines.Line{values("Capacity/framework=a/slo=p99-5ms", "calls/s", 100, "low-calls/s", 80., "high-calls/s", 130.)},
			"Capacity, slo p99-5ms", "", true, nil,
			[]chart.Point{{0, 100, 80, 130}},
		},
		{
			"transfers by size, a panel for each mode", "bulk",
			[]lines.Line{values("Bulk/framework=a/mode=bytes/size=1MiB/parallel=1/net=none", "MB/s", 200), values("Bulk/framework=a/mode=bytes/size=4MiB/parallel=1/net=none", "MB/s", 300)},
			"Bulk, bytes, 1 at once", "size", false,
			[]string{"1MiB", "4MiB"},
			[]chart.Point{{1 << 20, 200, 200, 200}, {1 << 22, 300, 300, 300}},
		},
		{
			"transfers have a time too if they are too small for MB/s", "bulk-p50",
			[]lines.Line{calls("Bulk/framework=a/mode=bytes/size=256B/parallel=1/net=delay-5ms", 20), values("Bulk/framework=a/mode=bytes/size=1MiB/parallel=1/net=delay-5ms", "MB/s", 200)},
			"Bulk, bytes, 1 at once, net delay-5ms", "size", false,
			[]string{"256B", "1MiB"},
			[]chart.Point{{256, 5e7, 5e7, 5e7}, {1 << 20, 1e9 / 7., 1e9 / 7., 1e9 / 7.}},
		},
		{
			"the axis of MB/s begins at the smallest transfer that has them", "bulk",
			[]lines.Line{
				calls("Bulk/framework=a/mode=bytes/size=256B/parallel=1/net=none", 20),
				values("Bulk/framework=a/mode=bytes/size=64KiB/parallel=1/net=none", "MB/s", 100), values("Bulk/framework=a/mode=bytes/size=1MiB/parallel=1/net=none", "MB/s", 200),
			},
			"Bulk, bytes, 1 at once", "size", false,
			[]string{"64KiB", "1MiB"},
			[]chart.Point{{64 << 10, 100, 100, 100}, {1 << 20, 200, 200, 200}},
		},
		{
			"networks in the order of the lines", "networks-bulk",
			[]lines.Line{values("Bulk/framework=a/mode=bytes/size=1MiB/parallel=1/net=none", "MB/s", 300), values("Bulk/framework=a/mode=bytes/size=1MiB/parallel=1/net=delay-5ms", "MB/s", 200)},
			"Bulk, bytes, 1MiB, 1 at once", "network", false,
			[]string{"none", "delay-5ms"},
			[]chart.Point{{0, 300, 300, 300}, {1, 200, 200, 200}},
		},
		{
			"a line without the key has no network", "networks-p50",
			[]lines.Line{calls("Echo/framework=a/conc=1", 10), calls("Echo/framework=a/conc=1/net=delay-5ms", 5)},
			"Echo, 1 caller", "network", false,
			[]string{"none", "delay-5ms"},
			[]chart.Point{{0, 1e8, 1e8, 1e8}, {1, 2e8, 2e8, 2e8}},
		},
		{
			"CPU time of what carries the packets, over the networks that tell it", "networks-cpu",
			[]lines.Line{
				calls("Echo/framework=a/net=none", 10),
				values("Echo/framework=a/net=delay-5ms", "net-cpu-ns/op", 300), values("Echo/framework=a/net=delay-9ms", "net-cpu-ns/op", 400),
			},
			"Echo", "network", false,
			[]string{"none", "delay-5ms", "delay-9ms"},
			[]chart.Point{{1, 300, 300, 300}, {2, 400, 400, 400}},
		},
		{
			"both loops of Stall", "stall-p50",
			[]lines.Line{calls("Stall/framework=a/loop=closed", 10), calls("Stall/framework=a/loop=open", 1)},
			"Stall", "loop", false,
			[]string{"closed", "open"},
			[]chart.Point{{0, 1e8, 1e8, 1e8}, {1, 1e9, 1e9, 1e9}},
		},
		{
			"workloads in their order", "workload",
			[]lines.Line{calls("Workload/framework=a/workload=nop/conc=1", 9), calls("Workload/framework=a/workload=db/conc=1", 3)},
			"Workload, 1 caller", "workload", false,
			[]string{"nop", "db"},
			[]chart.Point{{0, 9, 9, 9}, {1, 3, 3, 3}},
		},
		{
			"operations of serializers", "codec-unmarshal",
			[]lines.Line{op("gob/msg=bench/op=marshal", 9), op("gob/msg=bench/op=unmarshal", 20)},
			"Codec, msg bench", "", true, nil,
			[]chart.Point{{0, 20, 20, 20}},
		},
		{
			"bytes of serializers", "codec-bytes",
			[]lines.Line{op("gob/msg=bench/op=marshal", 9), op("gob/msg=bench/op=unmarshal", 20)},
			"Codec, msg bench", "", true, nil,
			[]chart.Point{{0, 581, 581, 581}},
		},
		{
			"failed calls in per cent of all", "failed",
			[]lines.Line{failed("Echo/framework=a/conc=1", 10), failed("Echo/framework=a/conc=10", 0), failed("Message/framework=a/conc=1", 0)},
			"Echo", "callers", false,
			[]string{"1", "10"},
			[]chart.Point{{1, 5, 5, 5}, {10, 0, 0, 0}},
		},
	} {
		t.Run(c.about, func(t *testing.T) {
			panel, got := drawn(t, report(c.lines...), c.figure)
			assert.Equal(t, c.panel, panel)
			assert.Equal(t, c.x, got.X)
			assert.Equal(t, c.bars, got.Bars)
			var ticks []string
			for _, tick := range got.Ticks {
				ticks = append(ticks, tick.Name)
			}
			assert.Equal(t, c.ticks, ticks)
			assert.Equal(t, c.points, got.Series[0].Points)
		})
	}
}

// drawn finds a figure that has one panel.
func drawn(t *testing.T, r *Report, id string) (panel string, c chart.Chart) {
	t.Helper()
	for _, s := range r.Sections {
		for _, f := range s.Figures {
			if f.ID == id {
				require.Len(t, f.Charts, 1)
				return s.Panels[0].Name, f.Charts[0]
			}
		}
	}
	t.Fatalf("no figure %s", id)
	return "", chart.Chart{}
}

func TestARateThatIsFoundAnewHasAMedian(t *testing.T) {
	r := report(offered("Search/framework=a", 100), offered("Search/framework=a", 120), offered("Search/framework=b", 9))
	_, got := drawn(t, r, "rate-p50")
	assert.Equal(t, chart.Number(110), got.Series[0].Points[0][0])
}

func TestWhatHasNoChartIsListed(t *testing.T) {
	r := report(calls("Echo/framework=a/conc=1", 1), line("Parallel/codec=gob", map[string]float64{"ns/op": 5}))
	var titles []string
	for _, a := range r.Absent {
		titles = append(titles, a.Title)
	}
	assert.Equal(t, []string{
		"CPU per call", "Where the CPU time of a call goes", "Size of the payload", "Who scales", "Rates that move", "Latency at an offered rate", "Capacity", "Latency at a part of the capacity", "Overload", "Large transfers",
		"A server that stands still", "Workloads", "Over networks", "Percentile curves", "Failed calls", "Serializers", "Counts", "Footprint", "Layers", "BenchmarkParallel",
	}, titles)
}

func TestDoubtsAreSummedUp(t *testing.T) {
	note := func(name, text string) lines.Note { return lines.Note{Name: "Benchmark" + name, Text: text} }
	text := &lines.Text{
		Lines: []lines.Line{calls("Echo/framework=a/conc=1", 1), calls("Echo/framework=a/conc=10", 1), calls("Echo/framework=a/conc=10", 2), calls("Message/framework=a/conc=1", 1)},
		Notes: []lines.Note{
			note("Echo/framework=a/conc=10", "late: 90 % of 4"), note("Echo/framework=a/conc=1", "late: 8–30 % of 4; full"),
			note("Echo/framework=b", "failed calls: 3 × reset; 1 × closed"),
		},
	}
	r := New(text, nil)
	assert.Equal(t, Doubts{Rows: 2, Of: 3, Reasons: []Doubt{
		{"late: 8–90 % of 4", []string{"Echo a, 10 callers", "Echo a, 1 caller"}},
		{"full", []string{"Echo a, 1 caller"}},
		{"failed calls: 3 × reset; 1 × closed", []string{"Echo b"}},
	}}, r.Doubts)
	assert.Equal(t, "2 of 3 rows: late: 8–90 % of 4; 2 more", r.Doubts.Summary())
	assert.Empty(t, report(calls("Echo/framework=a/conc=1", 1)).Doubts.Summary())
}

// labels returns the labels of a section's first chart.
func labels(s chart.Section) (list []string) {
	for _, series := range s.Figures[0].Charts[0].Series {
		list = append(list, series.Label)
	}
	return list
}

func TestReferencesComeLastAndAreHidden(t *testing.T) {
	with := func(l lines.Line) lines.Line {
		l.Config = map[string]string{"rank": "brpc=ours tcp=reference"}
		return l
	}
	r := report(with(calls("Echo/framework=tcp", 9)), with(calls("Echo/framework=brpc", 8)), with(calls("Echo/framework=grpc", 7)))
	assert.Equal(t, []string{"grpc", "brpc", "tcp"}, r.Frameworks)
	assert.Equal(t, []string{"ranked", "ours", "reference"}, r.Ranks)
	assert.Equal(t, []string{"tcp", "brpc (ours)", "grpc"}, labels(section(t, r, "throughput")), "whose code it is stands in every chart")
	assert.Empty(t, r.Hidden)
	r.HideReferences()
	assert.Equal(t, []string{"tcp"}, r.Hidden)
	alone := report(with(calls("Echo/framework=tcp", 9)))
	alone.HideReferences()
	assert.Empty(t, alone.Hidden, "unless there is nothing else")
}

func TestFacts(t *testing.T) {
	a, b := calls("Echo/framework=a/conc=1", 1), calls("Message/framework=a/conc=1", 1)
	a.Config = map[string]string{"cpu": "A", "date": "2026-11-21", "commit": "123abc", "pin": "0/1", "rank": "b=ours", "version-key": "b=go", "grpc": "v1.2.3", "pkg": "p"}
	b.Config = map[string]string{"cpu": "A", "date": "2026-11-22"}
	r := report(a, b)
	assert.Equal(t, []fact.Fact{{Key: "date", Value: "2026-11-21 and 2026-11-22"}, {Key: "commit", Value: "123abc"}, {Key: "cpu", Value: "A"}}, r.Measured)
	assert.Equal(t, []fact.Fact{{Key: "pin", Value: "0/1"}}, r.Settings)
	assert.Equal(t, []fact.Fact{{Key: "grpc", Value: "v1.2.3"}}, r.Versions)
}

func TestSettingsSideBySide(t *testing.T) {
	a, b, old := calls("Echo/framework=a/conc=1", 1), calls("Echo/framework=b/conc=1", 1), calls("Echo/framework=c/conc=1", 1)
	a.Config, b.Config = map[string]string{"gogc": "100", "goamd64": "v1", "godebug": "none"}, map[string]string{"gogc": "50", "goamd64": "v3", "godebug": "none"}
	r := report(a, b, old)
	assert.Empty(t, r.Versions, "v1 and v3 are levels of processors")
	assert.Equal(t, []fact.Fact{{Key: "goamd64", Value: "v1 and v3"}, {Key: "godebug", Value: "none"}, {Key: "gogc", Value: "100 and 50"}}, r.Settings)
	assert.Equal(t, []string{
		"gogc was 100 in some lines and 50 in others, and their figures stand side by side",
		"goamd64 was v1 in some lines and v3 in others, and their figures stand side by side",
	}, r.Remarks)
}

func TestMachinesSideBySide(t *testing.T) {
	a, b, old := calls("Echo/framework=a/conc=1", 1), calls("Echo/framework=b/conc=1", 1), calls("Echo/framework=c/conc=1", 1)
	a.Config = map[string]string{"cpu": "A", "go": "go1", "kernel": "6.1", "memory": "24 GiB", "hypervisor": "none", "governor": "performance"}
	b.Config = map[string]string{"kernel": "6.2", "memory": "24 GiB"}
	r := report(a, b, old)
	assert.Equal(t, []fact.Fact{{Key: "cpu", Value: "A"}, {Key: "kernel", Value: "6.1 and 6.2"}, {Key: "memory", Value: "24 GiB"}, {Key: "hypervisor", Value: "none"}, {Key: "governor", Value: "performance"}, {Key: "go", Value: "go1"}}, r.Measured)
	assert.Equal(t, []string{"kernel was 6.1 in some lines and 6.2 in others, and their figures stand side by side"}, r.Remarks)
	assert.Empty(t, report(old).Measured, "older texts do not tell")
}

func TestCurvesAreOfAllRounds(t *testing.T) {
	one := func(p50 float64, value int64) record.Record {
		h := hdrhistogram.New(1, 1<<40-1, 3)
		require.NoError(t, h.RecordValues(value, 50))
		return record.Record{Name: "BenchmarkEcho/framework=a/conc=1", P50: p50, Response: h, Warnings: []string{"late", "too few calls: p99 rests on 50"}}
	}
	text := &lines.Text{Lines: []lines.Line{calls("Echo/framework=a/conc=1", 1e6), calls("Echo/framework=a/conc=1", 2e6)}}
	r := New(text, []record.Record{one(1000, 10), one(500, 20), one(7, 30)})
	s := section(t, r, "percentiles")
	points := s.Figures[0].Charts[0].Series[0].Points
	assert.Equal(t, chart.Point{0, 10, 10, 10}, points[0])
	assert.Equal(t, chart.Number(20), points[len(points)-1][1])
	assert.Equal(t, chart.Number(2), points[len(points)-1][0], "100 calls end at 99 %")
	assert.Equal(t, []Doubt{{"late", []string{"Echo a, 1 caller"}}}, r.Doubts.Reasons, "that there are too few calls is seen")
	assert.Equal(t, []string{"1 records belong to no line of the text and are left out: are they of another run?"}, r.Remarks)
	assert.Equal(t, []string{"framework", "callers", "calls/s", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "max ms"}, r.Tables[0].Head, "the mean and the maximum are from the records")
}

// A record is of the line that was measured as it was, whatever other line has its median.
func TestRecordsOfRows(t *testing.T) {
	of := func(pin string) (lines.Line, record.Record) {
		l := calls("Echo/framework=a/conc=1", 1e6)
		l.Config = map[string]string{"pin": pin}
		h := hdrhistogram.New(1, 1<<40-1, 3)
		require.NoError(t, h.RecordValue(1000))
		return l, record.Record{Name: l.Full, P50: 1000, Response: h, Config: map[string]string{"pin": pin, "more": "1"}, Warnings: []string{"pinned " + pin}}
	}
	first, ofFirst := of("on")
	second, ofSecond := of("off")
	r := New(&lines.Text{Lines: []lines.Line{first, second}}, []record.Record{ofSecond, ofFirst})
	var got []string
	for _, reason := range r.Doubts.Reasons {
		got = append(got, reason.Text+": "+strings.Join(reason.Rows, "; "))
	}
	assert.Equal(t, []string{"pinned off: Echo a, 1 caller, pin off", "pinned on: Echo a, 1 caller, pin on"}, got)
}

// What is said of a line stands at the row that it was said of.
func TestNotesOfRows(t *testing.T) {
	const line, process = "BenchmarkEcho/framework=grpc/conc=1", "Unit calls/s better=higher\ngoos: linux\npkg: x/%s\n"
	for about, c := range map[string]struct {
		text, want string
	}{
		"behind the end of its process": {
			strings.ReplaceAll(process, "%s", "a") + line + " 1 5 calls/s\nPASS\n# warning: " + line + ": slow\n" + strings.ReplaceAll(process, "%s", "b") + line + " 1 6 calls/s\nPASS\n",
			"1 of 2: Echo grpc, 1 caller, package x/a",
		},
		"before the end of its process": {
			strings.ReplaceAll(process, "%s", "a") + line + " 1 5 calls/s\nPASS\n" + strings.ReplaceAll(process, "%s", "b") + line + " 1 6 calls/s\n# warning: " + line + ": slow\nPASS\n",
			"1 of 2: Echo grpc, 1 caller, package x/b",
		},
		"with its procs":           {line + "-2 1 5 calls/s\n" + line + "-8 1 5 calls/s\n# warning: " + line + "-8: slow\n", "1 of 2: Echo grpc, 1 caller, 8 procs"},
		"of procs it does not say": {line + "-2 1 5 calls/s\n" + line + "-8 1 5 calls/s\n# warning: " + line + ": slow\n", "2 of 2: Echo grpc, 1 caller, 2 procs; Echo grpc, 1 caller, 8 procs"},
		"that has no line":         {line + " 1 5 calls/s\n--- FAIL: BenchmarkEcho/framework=rpcx/conc=1-2\n", "0 of 1: Echo rpcx, 1 caller"},
	} {
		text, err := lines.Parse("out.txt", []byte(c.text))
		require.NoError(t, err, about)
		doubts := New(text, nil).Doubts
		assert.Equal(t, c.want, fmt.Sprint(doubts.Rows, " of ", doubts.Of, ": ", strings.Join(doubts.Reasons[0].Rows, "; ")), about)
	}
}

func TestTwoVersionsAreRemarked(t *testing.T) {
	a, b := calls("Echo/framework=a/conc=1", 1), calls("Echo/framework=a/conc=1", 1)
	a.Config, b.Config = map[string]string{"a": "v1.0.0", "pkg": "p"}, map[string]string{"a": "v1.1.0", "pkg": "p"}
	assert.Equal(t, []string{"a was measured in version v1.0.0 and v1.1.0, and their figures stand side by side"}, report(a, b).Remarks)
	b.Config["pkg"] = "q"
	assert.Empty(t, report(a, b).Remarks, "another package may mean another thing by it")
}
