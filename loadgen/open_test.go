package loadgen

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// simulated is a server in fake time. At the beginning of every period it stands still
// for the time freeze.
type simulated struct {
	period, freeze time.Duration
	fifo           bool                 // serve one call after the other, instead of all at once
	service        func() time.Duration // of the next call
	start          time.Time
	free           time.Duration // when the calls so far are served
}

// end returns when work that begins at a time is done, including freezes.
func (s *simulated) end(begin, work time.Duration) time.Duration {
	if s.period == 0 {
		return begin + work
	}
	if in := begin % s.period; in < s.freeze {
		begin += s.freeze - in
	}
	if left := s.period - begin%s.period; work > left {
		return s.end(begin+left, work-left)
	}
	return begin + work
}

// simulate runs cfg against s.
func simulate(t *testing.T, cfg Config, s simulated) (res *Result) {
	t.Helper()
	var mu sync.Mutex
	synctest.Test(t, func(t *testing.T) {
		cfg.OnStart = func() { s.start = time.Now() }
		var err error
		res, err = Run(t.Context(), cfg, func(ctx context.Context, w int) error {
			mu.Lock()
			now := time.Since(s.start)
			begin := now
			if s.fifo {
				begin = max(begin, s.free)
			}
			done := s.end(begin, s.service())
			s.free = done
			mu.Unlock()
			time.Sleep(done - now)
			return nil
		})
		require.NoError(t, err)
	})
	checkSums(t, res)
	res.Warnings = warnings(res.Warnings).ofTheRun()
	return res
}

func fixed(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

// TestRunsInFakeTimeAreIdentical to the bit.
func TestRunsInFakeTimeAreIdentical(t *testing.T) {
	t.Parallel()
	var results []*Result
	for range 3 {
		res := simulate(t, Config{Workers: 50, Schedule: Poisson(2000, 3), Duration: 4 * time.Second, RuntimeTimers: true},
			simulated{period: time.Second, freeze: 100 * time.Millisecond, fifo: true, service: fixed(200 * time.Microsecond)})
		results = append(results, res)
	}
	for _, res := range results[1:] {
		assert.Equal(t, results[0].Series, res.Series)
		assert.Equal(t, results[0].Response.counts, res.Response.counts)
		assert.Equal(t, results[0].Service.counts, res.Service.counts)
		assert.Equal(t, results[0].Lag.counts, res.Lag.counts)
		assert.True(t, reflect.DeepEqual(results[0], res), "%v", errors.Join(res.Warnings...))
	}
}

// TestSentFollowsTheSchedule looks at when calls are really made.
func TestSentFollowsTheSchedule(t *testing.T) {
	var sent []time.Duration
	synctest.Test(t, func(t *testing.T) {
		var start time.Time
		_, err := Run(t.Context(), Config{Workers: 3, Schedule: Poisson(1e4, 5), Calls: 20_000, RuntimeTimers: true, OnStart: func() { start = time.Now() }}, func(context.Context, int) error {
			sent = append(sent, time.Since(start)) // needs no lock: calls take no fake time, so they are made one at a time
			return nil
		})
		require.NoError(t, err)
	})
	assert.Equal(t, take(Poisson(1e4, 5), 20_000), sent)
}

func TestOverload(t *testing.T) {
	// 100 calls/s are due for 10 s, and one worker can make 50.
	base := Config{Workers: 1, Schedule: Constant(100), Duration: 10 * time.Second}
	for _, c := range []struct {
		name          string
		change        func(*Config)
		sent          int64 // within one percent of 1000
		maxResponse   time.Duration
		maxBacklog    int64
		keptUpWarning bool
	}{
		{"the backlog is kept, and all calls are sent", func(*Config) {}, 1000, 10 * time.Second, 500, true},
		{"what is not sent within Drain is dropped", func(c *Config) { c.Drain = time.Second }, 550, 5500 * time.Millisecond, 500, true},
		{"without Drain only what is due is sent", func(c *Config) { c.Drain = -1 }, 500, 5 * time.Second, 500, true},
		{"the backlog is bounded by its age", func(c *Config) { c.MaxLag = 100 * time.Millisecond }, 505, 120 * time.Millisecond, 11, true},
		{"the backlog is bounded by its depth", func(c *Config) { c.MaxBacklog = 10 }, 510, 220 * time.Millisecond, 11, true}, // at the end nothing more comes, and ten wait for 20 ms each
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := base
			c.change(&cfg)
			res, err := fake(t, cfg, service(20*time.Millisecond))
			require.NoError(t, err)
			assert.EqualValues(t, 1000, res.Due)
			assert.InDelta(t, c.sent, res.Sent, 10)
			assert.InDelta(t, c.maxResponse, res.Response.Max(), float64(c.maxResponse)*.02+float64(20*time.Millisecond))
			assert.InDelta(t, c.maxBacklog, res.MaxBacklog, max(2, float64(c.maxBacklog)/8))
			assert.Equal(t, c.keptUpWarning, len(res.Warnings) > 0)
		})
	}
}

func TestSteadyLoadHasNoWarnings(t *testing.T) {
	res, err := fake(t, Config{Workers: 10, Schedule: Constant(500), Duration: 10 * time.Second}, service(time.Millisecond))
	require.NoError(t, err)
	assert.Empty(t, res.Warnings)
	assert.Zero(t, res.MaxBacklog)
	assert.Equal(t, time.Duration(0), res.Lag.Max())
	assert.InDelta(t, 500, res.Goodput(), 1)
}

// TestTheGeneratorsOwnLatenessIsNamed uses a schedule that stalls, so that calls are
// late while workers are free.
func TestTheGeneratorsOwnLatenessIsNamed(t *testing.T) {
	res, err := fake(t, Config{Workers: 10, Schedule: new(slow), Calls: 2000}, nop)
	require.NoError(t, err)
	require.NotEmpty(t, res.Warnings)
	assert.ErrorContains(t, errors.Join(res.Warnings...), "while a worker was free")
}

// slow has an arrival every ms, and takes 2 ms to return it. Workers take only its
// first arrivals; later ones count the backlog.
type slow struct{ started int }

func (s *slow) Start() Arrivals {
	n, first := 0, s.started == 0
	s.started++
	return arrivals(func() time.Duration {
		if n++; first {
			time.Sleep(2 * time.Millisecond)
		}
		return time.Duration(n) * time.Millisecond
	})
}

// TestFinishedSchedulesEndRuns without Calls or Duration.
func TestFinishedSchedulesEndRuns(t *testing.T) {
	for _, s := range []Schedule{Trace([]time.Duration{0, time.Second}), Steps(Step{2, time.Second}), Ramp(0, 4, time.Second)} {
		res, err := fake(t, Config{Workers: 1, Schedule: s}, nop)
		require.NoError(t, err)
		assert.EqualValues(t, 2, res.OK, "%#v", s)
	}
}

// TestManyWorkersTakeTurns: a worker that is parked for long is not forgotten.
func TestManyWorkersTakeTurns(t *testing.T) {
	var made sync.Map
	res, err := fake(t, Config{Workers: 100, Schedule: Constant(1000), Duration: 10 * time.Second}, func(_ context.Context, w int) error {
		made.Store(w, true)
		time.Sleep(time.Millisecond)
		return nil
	})
	require.NoError(t, err)
	assert.EqualValues(t, 10_000, res.OK)
	n := 0
	made.Range(func(any, any) bool { n++; return true })
	assert.Equal(t, 100, n)
}

// TestRealTime runs the real waiter, with bounds that only a broken one
// exceeds: every call is sent, none early.
func TestRealTime(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			res, err := Run(t.Context(), way.with(Config{Workers: 10, Schedule: Constant(2000), Duration: 500 * time.Millisecond}), service(100*time.Microsecond))
			require.NoError(t, err)
			checkSums(t, res)
			assert.EqualValues(t, 1000, res.OK)
			assert.GreaterOrEqual(t, time.Since(start), 499*time.Millisecond)
			assert.Less(t, res.Elapsed, 30*time.Second)
		})
	}
}

// TestCancelWakesTheWaiter from a sleep of an hour.
func TestCancelWakesTheWaiter(t *testing.T) {
	for _, way := range ways {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		res, err := Run(ctx, way.with(Config{Workers: 2, Schedule: Trace([]time.Duration{0, time.Hour})}), func(context.Context, int) error {
			time.AfterFunc(20*time.Millisecond, cancel)
			return nil
		})
		assert.ErrorIs(t, err, context.Canceled)
		assert.EqualValues(t, 1, res.OK)
		assert.Zero(t, res.Dropped, "the second was not due yet")
	}
}

// take returns the first n due times, or all of them if there are fewer.
func take(s Schedule, n int) (times []time.Duration) {
	a := s.Start()
	for range n {
		due, ok := a.Next()
		if !ok {
			break
		}
		times = append(times, due)
	}
	return times
}
