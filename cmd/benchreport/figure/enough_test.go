package figure

import (
	"maps"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rounds returns lines of a benchmark, one for each number of calls.
func rounds(name string, calls ...int) (list []lines.Line) {
	values := map[string]float64{"calls/s": 9, "p50-ns": 5e6, "p99-ns": 7e6, "p99.9-ns": 8e6}
	for _, n := range calls {
		l := line(name, maps.Clone(values))
		l.Calls = n
		list = append(list, l)
	}
	return list
}

func TestPercentilesOfFewCallsAreNotShown(t *testing.T) {
	const open, closed, search = "Rate/framework=a/rate=5000", "Echo/framework=a/conc=10", "Capacity/framework=a/slo=p99-5ms"
	const stall = "Stall/framework=a/loop="
	without := rounds(open, 6000, 4000, 4000)
	delete(without[0].Values, "p99-ns")
	for _, c := range []struct {
		about          string
		lines          []lines.Line
		p50, p99, p999 string
	}{
		{"a round of 10,000 calls has 100 that are slower than p99", rounds(open, 10_000), "5", "7", number.Missing},
		{"three of 1,185 have 36", rounds(open, 1185, 1185, 1185), "5", number.Missing, number.Missing},
		{"three of 3,334 have 100", rounds(open, 3334, 3334, 3334), "5", "7", number.Missing},
		{"calls of a line without the percentile do not count", without, "5", number.Missing, number.Missing},
		{"p99.9 takes ten times the calls", rounds(open, 50_000, 50_000), "5", "7", "8"},
		{"one fewer", rounds(open, 50_000, 49_999), "5", "7", number.Missing},
		{"the median of an open loop takes 200", rounds(open, 100, 99), number.Missing, number.Missing, number.Missing},
		{"that of a closed loop is always there", rounds(closed, 1), "5", number.Missing, number.Missing},
		{"its p99 is not", rounds(closed, 4999, 5000), "5", number.Missing, number.Missing},
		{"the probes of a search made calls of their own", rounds(search, 1), "5", "7", "8"},
		{"a closed loop calls through the stall as often as it can", rounds(stall+"closed", 1), "5", "7", "8"},
		{"an open one calls b.N times", rounds(stall+"open", 9999), "5", number.Missing, number.Missing},
	} {
		r := report(c.lines...)
		require.Len(t, r.Tables, 1, c.about)
		cells := map[string]string{}
		for i, head := range r.Tables[0].Head {
			cells[head] = r.Tables[0].Rows[0][i]
		}
		assert.Equal(t, []string{c.p50, c.p99, c.p999}, []string{cells["p50 ms"], cells["p99 ms"], cells["p99.9 ms"]}, c.about)
	}
}

func TestPercentilesOfFewCallsAreNotDrawn(t *testing.T) {
	few, enough := rounds("Rate/framework=a/rate=500", 1000), rounds("Rate/framework=a/rate=5000", 10_000)
	_, got := drawn(t, report(append(few, enough...)...), "rate-p99")
	require.Len(t, got.Series, 1)
	assert.Equal(t, []chart.Point{{5000, 7e6, 7e6, 7e6}}, got.Series[0].Points)
}
