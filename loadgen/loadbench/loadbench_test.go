package loadbench

import (
	"context"
	"errors"
	"flag"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
)

// calls is how many calls the last round of a benchmark makes here.
const calls = 2_000

// round is what a benchmark's last round measured.
type round struct {
	testing.BenchmarkResult
	res    *loadgen.Result
	failed bool
	made   int64
}

// bench runs a benchmark of rounds with 1 call and then with calls.
func bench(t *testing.T, cfg loadgen.Config, call loadgen.Call) (last round) {
	t.Helper()
	benchtime := flag.Lookup("test.benchtime").Value
	defer func(was string) { require.NoError(t, benchtime.Set(was)) }(benchtime.String())
	require.NoError(t, benchtime.Set("2000x"))
	var made atomic.Int64
	result := testing.Benchmark(func(b *testing.B) {
		made.Store(0)
		b.Cleanup(func() { last.failed, last.made = b.Failed(), made.Load() })
		last.res = Run(b, cfg, func(ctx context.Context, worker int) error {
			made.Add(1)
			return call(ctx, worker)
		})
	})
	last.BenchmarkResult = result
	return last
}

func closed(workers int) loadgen.Config {
	return loadgen.Config{Workers: workers, Schedule: loadgen.ClosedLoop}
}

func fast(context.Context, int) error { return nil }

func TestRunMakesAsManyCallsAsTestingAsksFor(t *testing.T) {
	for _, c := range []struct {
		about string
		cfg   loadgen.Config
	}{
		{"one caller", closed(1)},
		{"callers that share the calls", closed(7)},
		{"more callers than calls in the first round", closed(100)},
		{"calls at a rate", loadgen.Config{Workers: 10, Schedule: loadgen.Constant(100_000)}},
		{"calls of the config give way", loadgen.Config{Workers: 3, Schedule: loadgen.ClosedLoop, Calls: 5}},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := bench(t, c.cfg, fast)
			assert.False(t, r.failed)
			assert.Equal(t, calls, r.N)
			assert.EqualValues(t, calls, r.made)
			assert.EqualValues(t, calls, r.res.Sent)
		})
	}
}

func TestCallsPerSecondCountsThoseThatSucceeded(t *testing.T) {
	var n atomic.Int64
	r := bench(t, closed(4), func(context.Context, int) error {
		if n.Add(1)%4 == 0 {
			return errors.New("every fourth")
		}
		return nil
	})
	assert.False(t, r.failed, "some failed calls are no failed benchmark, which would print no line")
	assert.EqualValues(t, calls, r.res.Sent)
	assert.InDelta(t, calls/4, r.Extra["errors"], 1, "the first round made one call")
	assert.InEpsilon(t, calls-r.Extra["errors"], r.Extra["calls/s"]*r.res.Elapsed.Seconds(), 1e-6)
}

func TestRunFailsWhereThereIsNothingToReport(t *testing.T) {
	stop := errors.New("stop")
	for _, c := range []struct {
		about string
		cfg   loadgen.Config
		call  loadgen.Call
	}{
		{"no call succeeded", closed(3), func(context.Context, int) error { return errors.New("down") }},
		{"the config is bad", closed(0), fast},
		{"a call panicked", closed(3), func(context.Context, int) error { panic("oh") }},
		{"the run was ended early", loadgen.Config{
			Workers: 1, Schedule: loadgen.ClosedLoop, Interval: 10 * time.Millisecond,
			OnProgress: func(loadgen.Progress) error { return stop },
		}, func(context.Context, int) error { time.Sleep(10 * time.Millisecond); return nil }},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := bench(t, c.cfg, c.call)
			assert.True(t, r.failed)
			assert.Empty(t, r.Extra, "no line is better than a wrong one")
		})
	}
}

// TestALostReplyEndsARound: Drain, which users set, ends it, since a run of b.N calls
// has no Duration.
func TestALostReplyEndsARound(t *testing.T) {
	for _, schedule := range []loadgen.Schedule{loadgen.ClosedLoop, loadgen.Constant(1e5)} {
		cfg := loadgen.Config{Workers: 2, Schedule: schedule, Drain: 50 * time.Millisecond}
		var made atomic.Int64
		call := loadgen.AsyncCall(func(_ context.Context, _ int, done func(error)) {
			if made.Add(1) != 10 {
				done(nil)
			}
		})
		m, err := Measure(new(testing.B), 1000, cfg, call.Run)
		require.NoError(t, err)
		assert.Equal(t, made.Load(), m.Sent)
		assert.EqualValues(t, 1, m.Failed)
		assert.ErrorIs(t, errors.Join(m.Warnings...), loadgen.ErrUnfinished)
	}
}

// TestTheTimerRunsWithTheCalls: it is set to 0 after OnStart has returned, and stops
// before OnStop is called, so that it has the calls and neither hook.
func TestTheTimerRunsWithTheCalls(t *testing.T) {
	const long = 50 * time.Millisecond
	var began, ended int
	var first, last time.Time
	cfg := closed(2)
	cfg.OnStart = func() { began++; time.Sleep(long); first = time.Now() }
	cfg.OnStop = func() { ended++; last = time.Now(); time.Sleep(long) }
	r := bench(t, cfg, fast)
	assert.Equal(t, 2, began, "once a round")
	assert.Equal(t, 2, ended, "once a round")
	assert.LessOrEqual(t, r.res.Elapsed, r.T, "the calls are timed")
	assert.LessOrEqual(t, r.T, last.Sub(first), "neither hook is timed")
}

func TestCPUIsThatOfTheRun(t *testing.T) {
	if processCPU() == 0 {
		t.Skip("not known on this system")
	}
	spin(100 * time.Millisecond) // does not count
	began := processCPU()
	r := bench(t, closed(1), func(context.Context, int) error { spin(10 * time.Microsecond); return nil })
	cpu := time.Duration(r.Extra["client-cpu-ns/op"] * calls)
	assert.Positive(t, cpu)
	assert.LessOrEqual(t, cpu, processCPU()-began)
}

// spin uses the CPU for a while.
func spin(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

func TestCallsGetAContextThatNobodyCancels(t *testing.T) {
	var other atomic.Int64
	bench(t, closed(2), func(ctx context.Context, _ int) error {
		if ctx != context.Background() {
			other.Add(1)
		}
		return nil
	})
	assert.Zero(t, other.Load(), "frameworks take a slower path for one that can be cancelled")
}

func TestTheLine(t *testing.T) {
	t.Setenv(EnvRounds, "5") // of 2,000 calls
	for _, c := range []struct {
		about   string
		cfg     loadgen.Config
		with    string
		without string
	}{
		{"a closed loop has a time per call", closed(2), "ns/op calls/s p50-ns p99-ns errors", "lag-p99-ns dropped p99.9-ns mean-ns"},
		{"an open loop has none", loadgen.Config{Workers: 2, Schedule: loadgen.Constant(100_000)}, "calls/s p50-ns p99-ns lag-p99-ns dropped errors", "ns/op"},
	} {
		t.Run(c.about, func(t *testing.T) {
			line := bench(t, c.cfg, fast).String()
			assert.Subset(t, strings.Fields(line), strings.Fields(c.with))
			for _, unit := range strings.Fields(c.without) {
				assert.NotContains(t, strings.Fields(line), unit)
			}
		})
	}
}
