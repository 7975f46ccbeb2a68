package figure

import (
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func line(name string, values map[string]float64) lines.Line {
	return lines.Line{Name: lines.ParseName("Benchmark" + name), Values: values}
}

func calls(name string, rate float64) lines.Line {
	return line(name, map[string]float64{"calls/s": rate, "p50-ns": 1e9 / rate})
}

func report(list ...lines.Line) *Report { return New(&lines.Text{Lines: list}, nil) }

func section(t *testing.T, r *Report, id string) Section {
	t.Helper()
	for _, s := range r.Sections {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("no section %s", id)
	return Section{}
}

func TestRepeatsBecomeAMedianAndARange(t *testing.T) {
	s := section(t, report(
		calls("Echo/framework=a/size=1KiB/conc=100", 30), calls("Echo/framework=a/size=1KiB/conc=10", 5),
		calls("Echo/framework=a/size=1KiB/conc=100", 10), calls("Echo/framework=a/size=1KiB/conc=100", 20),
	), "throughput")
	require.Len(t, s.Panels, 1)
	assert.Equal(t, "Echo, 1KiB", s.Panels[0].Name)
	chart := s.Figures[0].Charts[0]
	assert.False(t, chart.Bars)
	assert.Equal(t, 3, chart.Rounds)
	assert.Equal(t, []Point{{10, 5, 5, 5}, {100, 20, 10, 30}}, chart.Series[0].Points, "in the order of the axis")
}

func TestOnePointEachIsDrawnAsBars(t *testing.T) {
	s := section(t, report(calls("Echo/framework=a/conc=100", 30), calls("Echo/framework=b/conc=100", 5)), "throughput")
	assert.True(t, s.Figures[0].Charts[0].Bars)
	assert.Equal(t, "Echo, 100 callers", s.Panels[0].Name)
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

func TestOfferedRates(t *testing.T) {
	load := func(name string, offered float64) lines.Line {
		l := calls("Load/framework=a/"+name, 9)
		l.Values["offered/s"] = offered
		return l
	}
	r := report(calls("Rate/framework=a/rate=1000", 9), calls("Rate/framework=a/rate=2000", 9),
		load("load=90%", 900), load("load=10%", 100), load("load=10%", 120))
	s := section(t, r, "rate")
	require.Len(t, s.Panels, 2)
	points := s.Figures[0].Charts[1].Series[0].Points
	assert.Equal(t, number(110), points[0][0], "a rate that was found anew in each round has a median as well")
	assert.Equal(t, number(900), points[1][0])
	assert.Contains(t, r.Absent, Absent{"Throughput", "no line has calls/s without an offered rate: run BenchmarkEcho or BenchmarkMessage"})
}

func TestNotesStandWhereTheyApply(t *testing.T) {
	text := &lines.Text{
		Lines: []lines.Line{calls("Echo/framework=a/conc=1", 1), calls("Echo/framework=a/conc=10", 1), calls("Message/framework=a/conc=1", 1)},
		Notes: []lines.Note{{Name: "BenchmarkEcho/framework=a/conc=10", Text: "late"}},
	}
	s := section(t, New(text, nil), "throughput")
	assert.Equal(t, []string{"a, 10 callers: late"}, s.Panels[0].Notes)
	assert.True(t, s.Figures[0].Charts[0].Series[0].Warned)
	assert.Empty(t, s.Panels[1].Notes)
	assert.False(t, s.Figures[0].Charts[1].Series[0].Warned)
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
	assert.Equal(t, Point{0, 10, 10, 10}, points[0])
	assert.Equal(t, number(20), points[len(points)-1][1])
	assert.Equal(t, number(2), points[len(points)-1][0], "100 calls end at 99 %")
	assert.Equal(t, []string{"a: late"}, s.Panels[0].Notes)
	assert.Equal(t, []string{"1 records of -results belong to no line of the text and are left out: are they of another run?"}, r.Remarks)
	assert.Equal(t, []string{"framework", "callers", "TPS", "mean ms", "median ms", "p99 ms", "p99.9 ms", "max ms"}, r.Tables[0].Head, "the mean and the maximum are from the records")
}

func TestTwoVersionsAreRemarked(t *testing.T) {
	a, b := calls("Echo/framework=a/conc=1", 1), calls("Echo/framework=a/conc=1", 1)
	a.Config, b.Config = map[string]string{"a": "v1.0.0", "pkg": "p"}, map[string]string{"a": "v1.1.0", "pkg": "p"}
	assert.Equal(t, []string{"a was measured in version v1.0.0 and v1.1.0, and the figures of both are taken together"}, report(a, b).Remarks)
	b.Config["pkg"] = "q"
	assert.Empty(t, report(a, b).Remarks, "another package may mean another thing by it")
}

func TestCodecTables(t *testing.T) {
	codec := func(name string, ns float64) lines.Line {
		return line("Codec/codec="+name, map[string]float64{"ns/op": ns, "encoded-B": 581})
	}
	r := report(codec("pb/msg=bench/op=marshal", 100), codec("pb/msg=bench/op=marshal", 110), codec("json/msg=bench/op=unmarshal", 7.25), codec("pb/msg=small/op=marshal", 1))
	require.Len(t, r.Codecs, 2)
	assert.Equal(t, []string{"serializer", "marshal ns", "unmarshal ns", "bytes"}, r.Codecs[0].Head)
	assert.Equal(t, [][]string{{"json", "–", "7.25", "581"}, {"pb", "105 ±5 %", "–", "581"}}, r.Codecs[0].Rows)
}
