package figure

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDetailsGiveTheFastestResponse, beside the mean and the slowest.
func TestDetailsGiveTheFastestResponse(t *testing.T) {
	l := distinct("Echo/framework=a/conc=10", 1)
	l.Values["min-ns"] = 6.1e5
	got := report(l).Tables[0]
	at := slices.Index(got.Head, "min ms")
	require.Positive(t, at)
	assert.Equal(t, []string{"min ms", "mean ms"}, got.Head[at:at+2])
	assert.Equal(t, []string{"0.610", "2.30"}, got.Rows[0][at:at+2])
}

// distinct is a line of which no two figures are equal, nor the same digits. Those of
// round 2 are larger by a hundredth than those of round 1, and so on.
func distinct(name string, round int) lines.Line {
	l := line(name, map[string]float64{})
	for unit, v := range map[string]float64{
		"calls/s": 41000, "low-calls/s": 37000, "high-calls/s": 43000, "MB/s": 270,
		"mean-ns": 2.3e6, "p50-ns": 1.1e6, "p99-ns": 5.7e6, "p99.9-ns": 6.9e6, "max-ns": 8.3e6, "service-p99-ns": 5.3e6, "lag-p99-ns": 1.9e6,
		"client-cpu-ns/op": 13700, "server-cpu-ns/op": 29300, "client-busy-%": 61, "server-busy-%": 67,
		"conns": 7, "errors": 300, "dropped": 900, "ns/op": 590, "encoded-B": 473, "B/op": 71, "allocs/op": 3, "server-B/op": 79, "server-allocs/op": 5,
	} {
		l.Values[unit] = v * (1 + .01*float64(round-1))
	}
	l.Calls = 100_000
	return l
}

// shown are all figures of a report, each with its section, title, unit and the points
// of its series.
func shown(r *Report) (list []string) {
	for _, s := range r.Sections {
		for _, f := range s.Figures {
			text := fmt.Sprintf("%s: %s, %s:", f.ID, f.Title, f.Unit)
			for i, c := range f.Charts {
				text += " [" + s.Panels[i].Name + "]"
				for _, series := range c.Series {
					for _, p := range series.Points {
						text += fmt.Sprintf(" %s(%.5g)=%.5g %.5g-%.5g", series.Label, p[0], p[1], p[2], p[3])
					}
				}
			}
			list = append(list, text)
		}
	}
	return list
}

// rounds3 are three rounds of each of some lines, each a hundredth above the last.
func rounds3(names ...string) (list []lines.Line) {
	for _, name := range names {
		for range 3 {
			list = append(list, distinct(name, 1+len(list)))
		}
	}
	return list
}

// TestEveryFigureShowsItsUnit, and no other: of the lines no two figures are equal.
func TestEveryFigureShowsItsUnit(t *testing.T) {
	for _, c := range []struct {
		about string
		lines []lines.Line
		want  []string
	}{
		{
			"a closed loop, of which lines differ in their size", rounds3("Echo/framework=a/size=1KiB/conc=10", "Echo/framework=a/size=2KiB/conc=10"),
			[]string{
				"cpu-both: both sides, ns: [Echo, 1KiB, 10 callers] a(0)=43430 43000-43860 [Echo, 2KiB, 10 callers] a(0)=44720 44290-45150",
				"cpu-client: client, ns: [Echo, 1KiB, 10 callers] a(0)=13837 13700-13974 [Echo, 2KiB, 10 callers] a(0)=14248 14111-14385",
				"cpu-server: server, ns: [Echo, 1KiB, 10 callers] a(0)=29593 29300-29886 [Echo, 2KiB, 10 callers] a(0)=30472 30179-30765",
				"throughput: calls/s, calls/s: [Echo, 1KiB, 10 callers] a(10)=41410 41000-41820 [Echo, 2KiB, 10 callers] a(10)=42640 42230-43050",
				"latency-p50: p50, ns: [Echo, 1KiB, 10 callers] a(10)=1.111e+06 1.1e+06-1.122e+06 [Echo, 2KiB, 10 callers] a(10)=1.144e+06 1.133e+06-1.155e+06",
				"latency-p99: p99, ns: [Echo, 1KiB, 10 callers] a(10)=5.757e+06 5.7e+06-5.814e+06 [Echo, 2KiB, 10 callers] a(10)=5.928e+06 5.871e+06-5.985e+06",
				"size-throughput: calls/s, calls/s: [Echo, 10 callers] a(1024)=41410 41000-41820 a(2048)=42640 42230-43050",
				"size-p50: p50, ns: [Echo, 10 callers] a(1024)=1.111e+06 1.1e+06-1.122e+06 a(2048)=1.144e+06 1.133e+06-1.155e+06",
				"size-p99: p99, ns: [Echo, 10 callers] a(1024)=5.757e+06 5.7e+06-5.814e+06 a(2048)=5.928e+06 5.871e+06-5.985e+06",
				"failed: failed or dropped, %: [Echo, 1KiB, 10 callers] a(10)=1.212 1.2-1.224 [Echo, 2KiB, 10 callers] a(10)=1.248 1.236-1.26",
			},
		},
		{
			"an open loop", rounds3("Rate/framework=a/rate=500"),
			[]string{
				"rate-p50: p50, ns: [Rate, 500 calls/s offered] a(500)=1.111e+06 1.1e+06-1.122e+06",
				"rate-p99: p99, ns: [Rate, 500 calls/s offered] a(500)=5.757e+06 5.7e+06-5.814e+06",
				"rate-achieved: achieved calls/s, calls/s: [Rate, 500 calls/s offered] a(500)=41410 41000-41820",
				"failed: failed or dropped, %: [Rate, 500 calls/s offered] a(500)=1.212 1.2-1.224",
			},
		},
		{
			"a part of the capacity", rounds3("Load/framework=a/load=30%"),
			[]string{
				"load-p50: p50, ns: [Load, 30% load] a(30)=1.111e+06 1.1e+06-1.122e+06",
				"load-p99: p99, ns: [Load, 30% load] a(30)=5.757e+06 5.7e+06-5.814e+06",
				"load-achieved: achieved calls/s, calls/s: [Load, 30% load] a(30)=41410 41000-41820",
				"failed: failed or dropped, %: [Load, 30% load] a(30)=1.212 1.2-1.224",
			},
		},
		{
			"a capacity, with the ends of its interval", rounds3("Capacity/framework=a/slo=p99-5ms"),
			[]string{
				"capacity: calls/s, calls/s: [Capacity, slo p99-5ms] a(0)=41410 37000-43860",
			},
		},
		{
			"a transfer", rounds3("Bulk/framework=a/mode=bytes/size=1MiB/parallel=2"),
			[]string{
				"cpu-both: both sides, ns: [Bulk, bytes, 1MiB, 2 at once] a(0)=43430 43000-43860",
				"cpu-client: client, ns: [Bulk, bytes, 1MiB, 2 at once] a(0)=13837 13700-13974",
				"cpu-server: server, ns: [Bulk, bytes, 1MiB, 2 at once] a(0)=29593 29300-29886",
				"bulk: MB/s, MB/s: [Bulk, bytes, 2 at once, 1MiB] a(1.0486e+06)=272.7 270-275.4",
				"bulk-p50: p50, ns: [Bulk, bytes, 2 at once, 1MiB] a(1.0486e+06)=1.111e+06 1.1e+06-1.122e+06",
				"bulk-p99: p99, ns: [Bulk, bytes, 2 at once, 1MiB] a(1.0486e+06)=5.757e+06 5.7e+06-5.814e+06",
				"failed: failed or dropped, %: [Bulk, bytes, 2 at once, 1MiB] a(1.0486e+06)=1.212 1.2-1.224",
			},
		},
		{
			"a stall", rounds3("Stall/framework=a/loop=open"),
			[]string{
				"stall-p50: p50, ns: [Stall, open loop] a(0)=1.111e+06 1.1e+06-1.122e+06",
				"stall-p99: p99, ns: [Stall, open loop] a(0)=5.757e+06 5.7e+06-5.814e+06",
				"failed: failed or dropped, %: [Stall, open loop] a(0)=1.212 1.2-1.224",
			},
		},
		{
			"a workload", rounds3("Workload/framework=a/workload=db"),
			[]string{
				"cpu-both: both sides, ns: [Workload, db] a(0)=43430 43000-43860",
				"cpu-client: client, ns: [Workload, db] a(0)=13837 13700-13974",
				"cpu-server: server, ns: [Workload, db] a(0)=29593 29300-29886",
				"workload: calls/s, calls/s: [Workload, db] a(0)=41410 41000-41820",
				"workload-p50: p50, ns: [Workload, db] a(0)=1.111e+06 1.1e+06-1.122e+06",
				"workload-p99: p99, ns: [Workload, db] a(0)=5.757e+06 5.7e+06-5.814e+06",
				"failed: failed or dropped, %: [Workload, db] a(0)=1.212 1.2-1.224",
			},
		},
		{
			"a serializer", rounds3("Codec/codec=gob/msg=bench/op=marshal", "Codec/codec=gob/msg=bench/op=size"),
			[]string{
				"codec-marshal: marshal, ns: [Codec, msg bench] gob(0)=595.9 590-601.8",
				"codec-size: size, ns: [Codec, msg bench] gob(0)=613.6 607.7-619.5",
				"codec-bytes: encoded bytes, B: [Codec, msg bench] gob(0)=477.73 473-482.46",
			},
		},
	} {
		assert.Equal(t, c.want, shown(report(c.lines...)), c.about)
	}
}

// TestEveryColumnShowsItsUnit of a table, and no other.
func TestEveryColumnShowsItsUnit(t *testing.T) {
	for _, c := range []struct {
		about string
		lines []lines.Line
		want  [][]string
	}{
		{
			"a closed loop, of which lines differ in their size", rounds3("Echo/framework=a/size=1KiB/conc=10"),
			[][]string{
				{"Echo, 1KiB, 10 callers"},
				{"framework", "callers", "CPU µs", "client CPU µs", "server CPU µs", "calls/s", "lowest", "highest", "MB/s", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "errors"},
				{"a", "10", "43.4", "13.8", "29.6", "41410", "37370", "43430", "273", "2.32", "1.11", "5.76", "6.97", "8.38", "909"},
			},
		},
		{
			"an open loop", rounds3("Rate/framework=a/rate=500"),
			[][]string{
				{"Rate, 500 calls/s offered"},
				{"framework", "offered calls/s", "calls/s", "lowest", "highest", "MB/s", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "errors"},
				{"a", "500", "41410", "37370", "43430", "273", "2.32", "1.11", "5.76", "6.97", "8.38", "909"},
			},
		},
		{
			"a part of the capacity", rounds3("Load/framework=a/load=30%"),
			[][]string{
				{"Load, 30% load"},
				{"framework", "% of the capacity", "calls/s", "lowest", "highest", "MB/s", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "errors"},
				{"a", "30%", "41410", "37370", "43430", "273", "2.32", "1.11", "5.76", "6.97", "8.38", "909"},
			},
		},
		{
			"a capacity, with the ends of its interval", rounds3("Capacity/framework=a/slo=p99-5ms"),
			[][]string{
				{"Capacity, slo p99-5ms"},
				{"framework", "calls/s", "lowest", "highest", "MB/s", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "errors"},
				{"a", "41410", "37370", "43430", "273", "2.32", "1.11", "5.76", "6.97", "8.38", "909"},
			},
		},
		{
			"a transfer", rounds3("Bulk/framework=a/mode=bytes/size=1MiB/parallel=2"),
			[][]string{
				{"Bulk, bytes, 2 at once, 1MiB"},
				{"framework", "size", "CPU µs", "client CPU µs", "server CPU µs", "calls/s", "lowest", "highest", "MB/s", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "errors"},
				{"a", "1MiB", "43.4", "13.8", "29.6", "41410", "37370", "43430", "273", "2.32", "1.11", "5.76", "6.97", "8.38", "909"},
			},
		},
		{
			"a stall", rounds3("Stall/framework=a/loop=open"),
			[][]string{
				{"Stall, open loop"},
				{"framework", "loop", "calls/s", "lowest", "highest", "MB/s", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "errors"},
				{"a", "open", "41410", "37370", "43430", "273", "2.32", "1.11", "5.76", "6.97", "8.38", "909"},
			},
		},
		{
			"a workload", rounds3("Workload/framework=a/workload=db"),
			[][]string{
				{"Workload, db"},
				{"framework", "workload", "CPU µs", "client CPU µs", "server CPU µs", "calls/s", "lowest", "highest", "MB/s", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "errors"},
				{"a", "db", "43.4", "13.8", "29.6", "41410", "37370", "43430", "273", "2.32", "1.11", "5.76", "6.97", "8.38", "909"},
			},
		},
	} {
		r := report(c.lines...)
		tables := r.Tables
		assert.Len(t, tables, 1, c.about)
		assert.Equal(t, c.want, append([][]string{{tables[0].Title}, tables[0].Head}, tables[0].Rows...), c.about)
	}
}

// TestRecordsGiveTheMeanAndTheMaximum of all rounds together, where lines have none.
func TestRecordsGiveTheMeanAndTheMaximum(t *testing.T) {
	h := hdrhistogram.New(1, 1<<40-1, 3)
	for ms, n := range map[int64]int64{2: 9900, 14: 90, 100: 9, 250: 1} {
		require.NoError(t, h.RecordValues(ms*1e6, n))
	}
	l := distinct("Echo/framework=a/conc=10", 1)
	delete(l.Values, "mean-ns")
	delete(l.Values, "max-ns")
	r := New(&lines.Text{Lines: []lines.Line{l}}, []record.Record{{Name: l.Full, P50: 1.1e6, Response: h}})
	assert.Equal(t, [][]string{{"a", "10", "43", "13.7", "29.3", "41000", "37000", "43000", "270", "2.22", "1.10", "5.70", "6.90", "250", "300"}}, r.Tables[0].Rows)
	_, c := drawn(t, r, "percentiles")
	assert.Equal(t, chart.Chart{
		X: "percentile", Scale: "percentile", Rounds: 1, Series: []chart.Series{{Framework: "a", Label: "a", Points: c.Series[0].Points}},
	}, c)
	at := map[float64]float64{}
	for _, p := range c.Series[0].Points {
		assert.Equal(t, []chart.Number{p[1], p[1]}, p[2:])
		at[float64(p[0])] = math.Round(float64(p[1]) / 1e6)
	}
	assert.Equal(t, 33, len(at), "8 points a decade")
	assert.Equal(t, []float64{2, 2, 14, 100, 250}, []float64{at[0], at[2], at[2.125], at[3.125], at[4]}, "at 0, 99, 99.25, 99.925 % and the slowest of 10,000")
}
