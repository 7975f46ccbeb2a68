package loadbench

import (
	"flag"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
)

// line is a Reporter that keeps what a benchmark line would show.
type line map[string]float64

func (l line) ReportMetric(value float64, unit string) { l[unit] = value }

func TestReport(t *testing.T) {
	for _, c := range []struct {
		about string
		value float64
		unit  string
		want  line
	}{
		{"a number is reported as it is", 12.5, "calls/s", line{"calls/s": 12.5}},
		{"a count of 0 says something", 0, "errors", line{"errors": 0}},
		{"NaN is left out, benchstat does not survive it", math.NaN(), "p99-ns", line{}},
		{"infinity is left out", math.Inf(1), "calls/s", line{}},
		{"infinity below zero is left out", math.Inf(-1), "client-cpu-ns/op", line{}},
		{"a time of 0 becomes 1, else it is not scaled", 0, "p50-ns", line{"p50-ns": 1}},
		{"a fraction of a nanosecond becomes 1", .25, "p99.9-ns", line{"p99.9-ns": 1}},
		{"so does a time per call", 0, "server-cpu-ns/op", line{"server-cpu-ns/op": 1}},
		{"and a time below zero", -5, "lag-p99-ns", line{"lag-p99-ns": 1}},
		{"1 ns is long enough", 1, "max-ns", line{"max-ns": 1}},
		{"0 ns/op is how testing leaves it out", 0, "ns/op", line{"ns/op": 0}},
		{"ns/op has fractions of its own", .3, "ns/op", line{"ns/op": .3}},
		{"connections are no time", 0, "conns", line{"conns": 0}},
		{"nor are connections per call", 0, "conns/op", line{"conns/op": 0}},
	} {
		t.Run(c.about, func(t *testing.T) {
			got := line{}
			Report(got, Metric{c.value, c.unit})
			assert.Equal(t, c.want, got)
		})
	}
}

// measured is a run of n calls of 2 ms, each sent 1 ms late in an open loop.
func measured(closed bool, n int64) Measured {
	m := Measured{Result: &loadgen.Result{Closed: closed, Elapsed: time.Second, Due: n, Sent: n, OK: n}}
	m.Response.Record(2*time.Millisecond, n)
	if !closed {
		m.Service.Record(time.Millisecond, n)
		m.Lag.Record(time.Millisecond, n)
	}
	return m
}

const (
	closedLoop = true
	openLoop   = false
	detailed   = true
)

func TestUnitsOfARun(t *testing.T) {
	for _, c := range []struct {
		about  string
		closed bool
		n      int64
		rounds int
		detail bool
		want   string
	}{
		{"too few calls for a tail", closedLoop, 9_999, 1, !detailed, "calls/s p50-ns errors"},
		{"p99 needs a hundred calls that are slower", closedLoop, 10_000, 1, !detailed, "calls/s p50-ns p99-ns errors"},
		{"a round that is not told is one", closedLoop, 9_999, 0, !detailed, "calls/s p50-ns errors"},
		{"rounds have them together", closedLoop, 3_334, 3, !detailed, "calls/s p50-ns p99-ns errors"},
		{"three have not", closedLoop, 3_333, 3, !detailed, "calls/s p50-ns errors"},
		{"however many rounds, each needs ten slower calls", closedLoop, 1_000, 60, !detailed, "calls/s p50-ns p99-ns errors"},
		{"nine are too few for a p99", closedLoop, 999, 60, !detailed, "calls/s p50-ns errors"},
		{"still too few for p99.9", closedLoop, 99_999, 1, !detailed, "calls/s p50-ns p99-ns errors"},
		{"p99.9 needs a hundred thousand", closedLoop, 100_000, 1, !detailed, "calls/s p50-ns p99-ns p99.9-ns errors"},
		{"details of a closed loop, where service is response", closedLoop, 10_000, 1, detailed, "calls/s p50-ns p99-ns min-ns mean-ns max-ns errors"},
		{"a single transfer has a median", closedLoop, 1, 1, !detailed, "calls/s p50-ns errors"},
		{"an open loop tells how late it sent, how much it did not, and no ns/op", openLoop, 10_000, 1, !detailed, "calls/s p50-ns p99-ns lag-p99-ns ns/op dropped errors"},
		{"lateness has a tail as well", openLoop, 9_999, 1, !detailed, "calls/s p50-ns ns/op dropped errors"},
		{"the median of an open loop needs a hundred on its far side", openLoop, 199, 1, !detailed, "calls/s ns/op dropped errors"},
		{"which rounds have together", openLoop, 100, 2, !detailed, "calls/s p50-ns ns/op dropped errors"},
		{"details of an open loop", openLoop, 100_000, 1, detailed, "calls/s p50-ns p99-ns p99.9-ns min-ns mean-ns max-ns service-p99-ns lag-p99-ns ns/op dropped errors"},
		{"a detail needs samples too", openLoop, 9_999, 1, detailed, "calls/s p50-ns min-ns mean-ns max-ns ns/op dropped errors"},
		{"no call was sent, so there is no time", openLoop, 0, 1, detailed, "calls/s ns/op dropped errors"},
	} {
		t.Run(c.about, func(t *testing.T) {
			var units []string
			m := measured(c.closed, c.n)
			m.Rounds = c.rounds
			for _, m := range m.Metrics(c.detail) {
				units = append(units, m.Unit)
			}
			assert.ElementsMatch(t, strings.Fields(c.want), units)
		})
	}
}

func TestRoundsAreTold(t *testing.T) {
	for _, c := range []struct {
		about, env string
		want       int
	}{
		{"nobody tells", "", 1},
		{"benchrounds does", "6", 6},
		{"what is no number is one", "six", 1},
		{"nor is a negative one", "-6", 1},
	} {
		t.Setenv(EnvRounds, c.env)
		count := flag.Lookup("test.count").Value.String()
		assert.Equal(t, c.want*atLeastOne(count), Rounds(), c.about)
		require.NoError(t, flag.Set("test.count", "5"))
		assert.Equal(t, c.want*5, Rounds(), "-count makes more lines: %s", c.about)
		require.NoError(t, flag.Set("test.count", count))
	}
}

func TestValuesOfARun(t *testing.T) {
	m := measured(openLoop, 10_000)
	m.Rounds = 10
	m.OK, m.Failed, m.Due, m.Dropped = 9_000, 1_000, 10_500, 500
	m.CPU = 30 * time.Millisecond
	m.Response.Record(time.Second, 1_000) // the tail
	got := line{}
	Report(got, m.Metrics(detailed)...)
	want := line{
		"calls/s": 9_000, "errors": 1_000, "dropped": 500, "p50-ns": 2e6, "p99-ns": 1e9, "p99.9-ns": 1e9,
		"min-ns": 2e6, "max-ns": 1e9, "mean-ns": (10*2e6 + 1e9) / 11, "service-p99-ns": 1e6, "lag-p99-ns": 1e6, "client-cpu-ns/op": 3_000,
	}
	for unit, value := range want {
		assert.InEpsilon(t, value, got[unit], .001, unit)
	}
	assert.Zero(t, got["ns/op"])
}

func TestCPUPerCallNeedsCallsAndATime(t *testing.T) {
	for _, c := range []struct {
		about string
		n     int64
		cpu   time.Duration
	}{
		{"the time is not known", 1_000, 0},
		{"no call to divide it by", 0, time.Second},
	} {
		m, got := measured(closedLoop, c.n), line{}
		m.CPU = c.cpu
		Report(got, m.Metrics(!detailed)...)
		assert.NotContains(t, got, "client-cpu-ns/op", c.about)
	}
}

func TestUnitLines(t *testing.T) {
	known := map[string]bool{"ns/op": true, "MB/s": true, "B/op": true, "allocs/op": true} // to benchstat
	for l := range strings.Lines(UnitLines()) {
		fields := regexp.MustCompile(`^Unit (\S+)( better=(?:higher|lower))?( assume=(?:exact|nothing))?\n$`).FindStringSubmatch(l)
		if assert.NotNil(t, fields, l) {
			assert.NotEmpty(t, fields[2]+fields[3], l)
			assert.False(t, known[fields[1]], "%s is known already", fields[1])
			known[fields[1]] = true
		}
	}
	for _, u := range Units() {
		assert.Regexp(t, `[^.]$`, u.Meaning, u.Names)
	}
	for _, closed := range []bool{closedLoop, openLoop} {
		m := measured(closed, 100_000)
		m.CPU = time.Second
		for _, m := range m.Metrics(detailed) {
			assert.True(t, known[m.Unit], "%s has no Unit line", m.Unit)
		}
	}
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		about string
		kinds []loadgen.ErrorKind
		want  string
	}{
		{"no failure is no text", nil, ""},
		{"one kind", []loadgen.ErrorKind{{Text: "reset", Count: 3}}, "3 × reset"},
		{"kinds in the order of the result", []loadgen.ErrorKind{{Text: "timeout", Count: 20}, {Text: "reset", Count: 3}}, "20 × timeout; 3 × reset"},
	} {
		assert.Equal(t, c.want, (&loadgen.Result{ErrorKinds: c.kinds}).Failures(), c.about)
	}
}
