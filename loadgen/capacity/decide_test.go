package capacity

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// judged gives a judge of 60 batches, of 1000 calls each, until it has decided. By pairs of
// batches more and fewer calls are late, or failed, than their mean.
func judged(s Config, late, failed, by int64) (j *judge, batches int, err error) {
	s.Quantile, s.Latency = .99, 10*time.Millisecond
	j = &judge{Config: s.withDefaults(), rate: 4000}
	for err == nil && !j.decided {
		batches++
		change := by * int64(1-2*((batches-1)/2%2))
		all := new(loadgen.Histogram)
		l, f := late, failed
		if late > 0 {
			l += change
		} else if failed > by {
			f += change
		}
		all.Record(20*time.Millisecond, l)
		all.Record(time.Millisecond, 1000-l)
		err = j.onProgress(loadgen.Progress{Elapsed: time.Duration(batches) * j.Batch, Last: loadgen.Point{OK: 1000 - f, Failed: f}, Responses: all})
	}
	return j, batches, err
}

// TestVerdicts: a verdict is certain after 24 batches at the soonest, by three standard
// errors of at most 31 batches, and is otherwise made by the share at the end. Of 1000
// calls of a batch 10 may be late and 1 may fail.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		about            string
		late, failed, by int64
		errorRate        float64
		batches          int
		holds, certain   bool
		byLatency        bool
	}{
		{"3.2 standard errors too many are late", 12, 0, 3, .001, 24, false, true, true},
		{"3.2 too few", 8, 0, 3, .001, 24, true, true, true},
		{"1.9 too many, which grow to no 3 once batches are joined", 12, 0, 5, .001, 60, false, false, true},
		{"1.9 too few", 8, 0, 5, .001, 60, true, false, true},
		{"none is late", 0, 0, 0, .001, 24, true, true, false},
		{"three of 1000 fail", 0, 3, 1, .001, 24, false, true, false},
		{"three of 1000 may fail", 0, 2, 1, .01, 24, true, true, false},
		{"none may fail and some do", 0, 1, 1, 0, 24, false, true, false},
		{"late calls hold, failed ones do not", 8, 3, 3, .001, 24, false, true, false},
	} {
		j, n, err := judged(Config{ErrorRate: c.errorRate}, c.late, c.failed, c.by)
		want := errFails
		if c.holds {
			want = loadgen.ErrEnough
		}
		assert.Equal(t, want, err, c.about)
		p := j.verdict(new(loadgen.Result))
		got := []any{n, p.Holds, p.Certain, p.late}
		assert.Equal(t, []any{c.batches, c.holds, c.certain, c.byLatency}, got, c.about)
	}
}

// lined is a finder with probes of 24 batches, with the late ones of 1000 calls at each rate.
func lined(by int64, late ...int64) *finder {
	f := &finder{Config: Config{Quantile: .99}, holds: 1000, fails: 1010, failed: Probe{late: true}}
	for i, n := range late {
		j := &judge{Config: Config{Quantile: .99, Latency: time.Second, ErrorRate: .01}.withDefaults(), rate: 900 + 50*float64(i)}
		for b := range int64(24) {
			j.late.Add(n+by*(b%3-1), 1000)
			j.failed.Add(0, 1000)
		}
		f.Probes = append(f.Probes, j.verdict(new(loadgen.Result)))
	}
	return f
}

// The lines through a few fixed probes are written down: what changes the fit changes
// them. Whether they are right is tested by the coverage of many searches.
func TestLinesOfFixedProbes(t *testing.T) {
	for _, c := range []struct {
		about string
		by    int64
		late  []int64
		line  fit
		on    bool    // more probes would help
		next  float64 // the rate of one
	}{
		{"late calls rise with the rate", 3, []int64{4, 6, 9, 13, 20}, fit{1014.137, 19.940, leastSpread}, false, 1014.137},
		{"a probe far over the objective is left out", 3, []int64{4, 400, 9}, fit{1012.801, 42.286, leastSpread}, false, 1012.801},
		{"probes are farther from the line than their errors explain", 3, []int64{9, 11, 9, 12, 10}, fit{967.150, 253.620, leastSpread}, true, 967.150},
		{"the spread between probes is large", 3, []int64{4, 20, 5, 25, 9, 400}, fit{1004.090, 271.473, .995}, true, 1004.090},
		{"the rate is known to 6 %", 1, []int64{3, 9, 5, 16, 12, 30}, fit{1029.940, 60.316, .48}, true, 1029.940},
		{"no line rises", 3, []int64{20, 9, 5}, fit{}, false, 0},
	} {
		f := lined(c.by, c.late...)
		l, ok := f.fit()
		assert.Equal(t, c.line != fit{}, ok, c.about)
		assert.InDeltaSlice(t, []float64{c.line.rate, c.line.reach, c.line.spread}, []float64{l.rate, l.reach, l.spread}, .01, c.about)
		assert.Equal(t, c.on, f.mustGoOn(), c.about)
		if ok {
			assert.InDelta(t, c.next, f.next(), .01, c.about)
		}
		f.failed.late = false
		assert.False(t, f.mustGoOn(), "failed calls are not in the line")
	}
}

// TestSettle: after a probe that failed a single caller calls until it is answered in
// time, for 10 s.
func TestSettle(t *testing.T) {
	const fast, slow, fails = 5 * time.Millisecond, time.Second, 0
	for _, c := range []struct {
		about   string
		holds   bool
		replies []time.Duration // the last of them for ever
		calls   int
	}{
		{"a probe that held leaves nothing behind", true, []time.Duration{slow}, 0},
		{"the first is in time", false, []time.Duration{fast}, 1},
		{"the third is", false, []time.Duration{slow, slow, fast}, 3},
		{"a fast failure is no reply", false, []time.Duration{fails, fast}, 2},
		{"none is", false, []time.Duration{slow}, 10},
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			f := &finder{Config: Config{Quantile: .99, Latency: 10 * time.Millisecond, Workers: 7}.withDefaults()}
			f.run = func(_ context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
				assert.Equal(t, []any{1, int64(1), loadgen.ClosedLoop}, []any{cfg.Workers, cfg.Calls, cfg.Schedule})
				took, res := c.replies[min(calls, len(c.replies)-1)], new(loadgen.Result)
				calls++
				time.Sleep(took)
				res.Response.Record(took, 1)
				if res.Sent = 1; took != fails {
					res.OK = 1
				}
				return res, nil
			}
			require.NoError(t, f.settle(Probe{Holds: c.holds}))
			assert.Equal(t, c.calls, calls, c.about)
		})
	}
}

// Runs of a search have its settings, and a warm-up of two batches.
func TestConfigOfASearch(t *testing.T) {
	cfg := Config{Workers: 7, Timeout: time.Second, Drain: time.Minute, RuntimeTimers: true}.withDefaults().runConfig()
	want := loadgen.Config{Workers: 7, Timeout: time.Second, Drain: time.Minute, RuntimeTimers: true, Interval: 250 * time.Millisecond, Warmup: 500 * time.Millisecond}
	assert.Equal(t, want, cfg)
}

// More Workers are advised where calls waited for one, and only there.
func TestDoubtsOfWorkers(t *testing.T) {
	f := &finder{Config: Config{Quantile: .99, Latency: 10 * time.Millisecond, Workers: 7}}
	for service, want := range map[time.Duration]int{9 * time.Millisecond: 1, 11 * time.Millisecond: 0} {
		res := new(loadgen.Result)
		res.Service.Record(service, 100)
		assert.Len(t, f.doubts(Probe{Result: res}), want, service)
	}
}
