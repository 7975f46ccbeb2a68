package figure

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/ranking"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// run is a record of 100 calls, of which the slowest took 40 ms.
func run(t *testing.T, name string, second int) record.Record {
	t.Helper()
	h := hdrhistogram.New(1, 1<<40-1, 3)
	require.NoError(t, h.RecordValues(2e6, 99))
	require.NoError(t, h.RecordValue(40e6))
	r := record.Record{Name: name, Ranks: 1, Start: time.Date(2026, 1, 2, 3, 4, second, 0, time.UTC), Response: h}
	r.Elapsed, r.Due, r.Sent, r.OK, r.Failed, r.Dropped = 2.2e9, 110, 100, 99, 1, 10
	r.Warnings, r.Failures = []string{"late: 7 calls"}, []string{"1 × reset"}
	for i := range int64(3) {
		r.Series = append(r.Series, record.Point{Start: 1e9 * i, OK: 40 + i, P50: 2e6 + i, P99: 3e6 + i, Max: 4e6 + i})
	}
	r.Series[1].P50 = 0
	return r
}

// TestRunsOfALoadGenerator need no benchmark's names and no lines.
func TestRunsOfALoadGenerator(t *testing.T) {
	closed := run(t, "BenchmarkSearch", 5)
	closed.Closed = true
	r, err := OfRecords([]record.Record{run(t, "BenchmarkCheckout/rate=50", 9), closed})
	require.NoError(t, err)
	assert.Equal(t, "Runs of a load generator", r.Title)
	require.Len(t, r.Rankings, 1)
	assert.Equal(t, []string{
		"run p50 p90 max offered ok sent failed dropped seconds start",
		"Search 2.00 2.00 40.0 – 45.0 100 1 10 2.20 2026-01-02 03:04:05",
		"Checkout/rate=50 2.00 2.00 40.0 50.0 45.0 100 1 10 2.20 2026-01-02 03:04:09",
	}, texts(r.Rankings[0]), "in the order of their starts; a p99 takes 1,000 calls")
	assert.Equal(t, []Doubt{
		{"late: 7 calls", []string{"Search", "Checkout/rate=50"}},
		{"failed calls: 1 × reset", []string{"Search", "Checkout/rate=50"}},
	}, inOrder(r.Doubts.Reasons))
	require.Len(t, r.Sections, 2)
	assert.Equal(t, "percentiles", r.Sections[0].ID)
	assert.Equal(t, []string{"Search", "Checkout/rate=50"}, labels(r.Sections[0]))
	assert.Empty(t, r.Absent)

	p50 := r.Sections[1].Figures[2].Charts[0]
	assert.Equal(t, []chart.Point{{0, 40, 40, 40}, {1, 41, 41, 41}}, r.Sections[1].Figures[0].Charts[0].Series[0].Points, "a last interval of 0.2 s has no rate")
	assert.Equal(t, []chart.Point{{0, 2e6, 2e6, 2e6}, {2, 2e6 + 2, 2e6 + 2, 2e6 + 2}}, p50.Series[0].Points, "nor has one without a p50 a point")
}

// TestPartsOfARun are rows, curves and lines of their own, behind those of the whole. Without
// other runs they do not say which run they are of.
func TestPartsOfARun(t *testing.T) {
	shop := run(t, "BenchmarkShop", 5)
	shop.Known = []record.Interval{{Quantile: .5, Low: 19e5, High: 22e5}, {Quantile: .99, Low: 1, High: 2}}
	login, idle := run(t, "BenchmarkShop", 5), record.Record{Name: shop.Name, Part: "idle"}
	login.Part, login.Warnings, login.Failures = "GET /a/*|b", nil, []string{"7 × reset", "1 × closed"}
	shop.Parts = []record.Record{login, idle}
	r, err := OfRecords([]record.Record{shop})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"run p50 95 % p90 max offered ok sent failed dropped seconds start",
		"Shop 2.00 1.90–2.20 2.00 40.0 50.0 45.0 100 1 10 2.20 2026-01-02 03:04:05",
		"GET /a/*|b 2.00 – 2.00 40.0 50.0 45.0 100 1 10 2.20 –",
		"idle – – – – 0 0 0 0 0 0 –",
	}, texts(r.Rankings[0]), "an interval stands behind its percentile, if that is shown")
	assert.Equal(t, []ranking.Aside{
		{Name: "failed calls, Shop", Items: []string{"1 × reset"}},
		{Name: "failed calls, GET /a/*|b", Items: []string{"7 × reset", "1 × closed"}},
	}, r.Rankings[0].Below)
	assert.Equal(t, []string{"Shop", "GET /a/*|b"}, labels(section(t, r, "percentiles")), "what made no calls has no curve")
	assert.Equal(t, []string{"Shop", "GET /a/*|b"}, labels(section(t, r, "series")))
	assert.Equal(t, r.Frameworks, labels(section(t, r, "series")), "each has a switch")
	for _, d := range r.Doubts.Reasons {
		if strings.HasPrefix(d.Text, "late") {
			assert.Equal(t, []string{"Shop"}, d.Rows)
		}
	}
	for _, s := range r.Sections {
		assert.NotContains(t, s.Note, "are drawn")
	}
}

// TestAPartThatIsNamedAsItsRun has both names.
func TestAPartThatIsNamedAsItsRun(t *testing.T) {
	shop, part := run(t, "BenchmarkShop", 5), run(t, "BenchmarkShop", 5)
	part.Part = "Shop"
	shop.Parts = []record.Record{part}
	r, err := OfRecords([]record.Record{shop})
	require.NoError(t, err)
	assert.Equal(t, []string{"Shop", "Shop of Shop"}, labels(section(t, r, "percentiles")))
}

// TestRunsOfOneName are told apart, since nobody knows that they are rounds of one case.
func TestRunsOfOneName(t *testing.T) {
	list := []record.Record{run(t, "BenchmarkShop", 5), run(t, "BenchmarkShop", 9), run(t, "BenchmarkShop", 9), run(t, "BenchmarkCart", 9)}
	list[1].File, list[2].File = "a.json", "b.json"
	list[0].Parts = []record.Record{run(t, "BenchmarkShop", 5)}
	list[0].Parts[0].Part = "login"
	r, err := OfRecords(list)
	require.NoError(t, err)
	want := []string{"Shop 2026-01-02 03:04:05", "login of Shop 2026-01-02 03:04:05", "Shop a.json", "Shop b.json", "Cart"}
	assert.Equal(t, want, labels(section(t, r, "percentiles")))
	var rows []string
	for _, row := range r.Rankings[0].Rows {
		rows = append(rows, row[0].Text)
	}
	assert.Equal(t, want, rows)
	assert.Equal(t, "BenchmarkShop", list[0].Parts[0].Name, "what was given is as it was")
}

// TestManyParts: those with the most calls are drawn, and the table has all.
func TestManyParts(t *testing.T) {
	shop := run(t, "BenchmarkShop", 5)
	for i := range 256 {
		part := run(t, shop.Name, 5)
		part.Part, part.Sent = fmt.Sprintf("%03d %s", i, strings.Repeat("日", 80)), int64(i)
		shop.Parts = append(shop.Parts, part)
	}
	r, err := OfRecords([]record.Record{shop})
	require.NoError(t, err)
	assert.Len(t, r.Rankings[0].Rows, 257)
	for _, id := range []string{"percentiles", "series"} {
		s := section(t, r, id)
		require.Len(t, labels(s), 13, id)
		assert.Equal(t, []string{"Shop", shop.Parts[244].Part}, labels(s)[:2], id)
		assert.Equal(t, r.Frameworks, labels(s), id)
		assert.Contains(t, s.Note, " Of 256 parts only the 12 with the most calls are drawn.", id)
	}
	assert.Len(t, r.Ranks, 13)
	assert.Len(t, r.Serializers, 13)
}

// TestRatesOfIntervals take their own lengths, where they have any.
func TestRatesOfIntervals(t *testing.T) {
	for _, c := range []struct {
		about   string
		lengths [3]int64
		last    []chart.Point
	}{
		{"none has a length, and the run ends 0.2 s after the last began", [3]int64{}, []chart.Point{{1, 41, 41, 41}}},
		{"the last says 0.6 s", [3]int64{1e9, 1e9, 6e8}, []chart.Point{{1, 41, 41, 41}, {2, 70, 70, 70}}},
		{"the last alone says it", [3]int64{0, 0, 6e8}, []chart.Point{{1, 41, 41, 41}, {2, 70, 70, 70}}},
		{"a tenth of an interval is too short for a rate", [3]int64{1e9, 1e9, 1e8}, []chart.Point{{1, 41, 41, 41}}},
	} {
		one := run(t, "BenchmarkShop", 5)
		for i, length := range c.lengths {
			one.Series[i].Length = length
		}
		r, err := OfRecords([]record.Record{one})
		require.NoError(t, err)
		assert.Equal(t, c.last, section(t, r, "series").Figures[0].Charts[0].Series[0].Points[1:], c.about)
	}
}

// TestFailedCallsOverTime are drawn where calls failed.
func TestFailedCallsOverTime(t *testing.T) {
	one := run(t, "BenchmarkShop", 5)
	one.Series[1].Failed = 3
	r, err := OfRecords([]record.Record{one})
	require.NoError(t, err)
	failed := section(t, r, "series").Figures[1]
	assert.Equal(t, "failed calls/s", failed.Title)
	assert.Equal(t, []chart.Point{{0, 0, 0, 0}, {1, 3, 3, 3}}, failed.Charts[0].Series[0].Points)
	one.Failed, one.Response = 0, run(t, "", 0).Response
	r, err = OfRecords([]record.Record{one})
	require.NoError(t, err)
	assert.Equal(t, "p50", section(t, r, "series").Figures[1].Title)
}

// inOrder has the doubt first that the test names first.
func inOrder(list []Doubt) []Doubt {
	if len(list) == 2 && list[0].Text > list[1].Text {
		return list
	}
	return []Doubt{list[1], list[0]}
}

// TestRecordsOfFrameworks alone are reported as their lines would be.
func TestRecordsOfFrameworks(t *testing.T) {
	one := run(t, "BenchmarkEcho/framework=grpc/codec=protobuf/conc=100", 1)
	one.Metrics = map[string]float64{"calls/s": 500, "p50-ns": 3e6, "client-cpu-ns/op": 7e3, "server-cpu-ns/op": 8e3}
	one.P50 = 3e6
	r, err := OfRecords([]record.Record{one})
	require.NoError(t, err)
	assert.Equal(t, "Benchmark of RPC frameworks", r.Title)
	require.Len(t, r.Rankings, 2)
	assert.Equal(t, []string{"# framework codec both client server calls/s p50", "1 grpc protobuf 15 7 8 500 3.0"}, texts(r.Rankings[0]))
	assert.Equal(t, "Runs", r.Rankings[1].Title)
	assert.Empty(t, r.Remarks, "every record has its line")

	one.Ranks, one.File = 3, "a.json"
	_, err = OfRecords([]record.Record{one})
	assert.EqualError(t, err, "a.json is of one of 3 load generators: put their records together with loadmerge -o, and give what it writes")
}

// TestSerializersAreNamed where those of a panel differ; where all have one the title says it.
func TestSerializersAreNamed(t *testing.T) {
	for _, c := range []struct {
		about  string
		names  []string
		title  string
		labels []string
		chips  []string
	}{
		{"in every label", []string{"a/codec=pb", "b/codec=json", "tcp/codec=none"}, "Echo", []string{"a pb", "b json", "tcp"}, []string{"pb", "json", ""}},
		{"in the title alone", []string{"a/codec=pb", "b/codec=pb", "tcp/codec=none"}, "Echo, pb", []string{"a", "b", "tcp"}, []string{"", "", ""}},
		{"of several of a framework", []string{"a/transport=x/codec=pb", "a/transport=y/codec=gob"}, "Echo", []string{"a x pb", "a y gob"}, []string{"pb, gob"}},
		{"nowhere if no line says it", []string{"a", "b"}, "Echo", []string{"a", "b"}, []string{"", ""}},
	} {
		var list []string
		for _, name := range c.names {
			list = append(list, "Echo/framework="+name)
		}
		r := report(rounds3(list...)...)
		s := section(t, r, "throughput")
		assert.Equal(t, c.title, s.Panels[0].String(), c.about)
		assert.Equal(t, c.title, r.Tables[0].Title, c.about)
		assert.Equal(t, c.labels, labels(s), c.about)
		assert.Equal(t, c.chips, r.Serializers, c.about)
	}
}

// TestTheUsualPanelIsShownFirst, in charts and among the tables.
func TestTheUsualPanelIsShownFirst(t *testing.T) {
	r := report(rounds3("Echo/framework=a/conc=1", "Echo/framework=a/conc=100", "Message/framework=a/conc=100")...)
	s := section(t, r, "cpu")
	assert.Equal(t, "Echo, 100 callers", s.Panels[s.First].Name)
	s = section(t, r, "throughput")
	assert.Equal(t, "Echo", s.Panels[s.First].Name, "of several numbers of callers")
	var titles []string
	for _, table := range r.Answers {
		titles = append(titles, table.Title)
	}
	assert.Equal(t, []string{"Echo, 100 callers", "Echo, 1 caller", "Message, 100 callers"}, titles)
}
