package loadgen

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fewer is how many simulations a test makes: all, or some of them with -short.
func fewer(all, short int) int {
	if testing.Short() {
		return short
	}
	return all
}

// service returns a call that takes d.
func service(d time.Duration) Call {
	return func(ctx context.Context, _ int) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// fake runs cfg in fake time and checks what holds for every run.
func fake(t *testing.T, cfg Config, call Call) (res *Result, err error) {
	t.Helper()
	cfg.RuntimeTimers = true
	synctest.Test(t, func(t *testing.T) { res, err = Run(t.Context(), cfg, call) })
	require.NotNil(t, res)
	checkSums(t, res)
	res.Warnings = warnings(res.Warnings).ofTheRun()
	return res, err
}

// ofTheRun leaves out warnings about the machine. They compare CPU time with the clock of the
// run. A run in fake time has one if its test happens to take as long as the run.
func (w warnings) ofTheRun() (list warnings) {
	for _, err := range w {
		if !errors.Is(err, ErrBusy) && !errors.Is(err, ErrHost) {
			list = append(list, err)
		}
	}
	return list
}

func checkSums(t *testing.T, res *Result) {
	t.Helper()
	assert.Equal(t, res.Sent, res.OK+res.Failed, "sent is ok + failed")
	assert.Equal(t, res.Due, res.Sent+res.Dropped, "due is sent + dropped")
	assert.Equal(t, res.Sent, res.Response.Count())
	assert.Equal(t, res.Failed, res.Errors.Count())
	ok, failed := int64(0), int64(0)
	for _, i := range res.Series {
		ok, failed = ok+i.OK, failed+i.Failed
	}
	assert.Equal(t, res.OK, ok, "the series adds up")
	assert.Equal(t, res.Failed, failed, "the series adds up")
}

func TestBadConfig(t *testing.T) {
	good := Config{Workers: 1, Schedule: Constant(1), Calls: 1}
	for _, c := range []struct {
		name   string
		change func(*Config)
		say    string
	}{
		{"no workers", func(c *Config) { c.Workers = 0 }, "Workers is 0"},
		{"a negative number of workers", func(c *Config) { c.Workers = -3 }, "Workers is -3"},
		{"the loop must be chosen", func(c *Config) { c.Schedule = nil }, "choose ClosedLoop, or an open loop"},
		{"nothing ends the run", func(c *Config) { c.Calls = 0 }, "never end"},
		{"nothing ends a closed loop", func(c *Config) { c.Calls, c.Schedule = 0, ClosedLoop }, "never end"},
		{"rate zero", func(c *Config) { c.Schedule = Constant(0) }, "Constant rate is 0"},
		{"rate below zero", func(c *Config) { c.Schedule = Poisson(-1, 1) }, "Poisson rate is -1"},
		{"rate not a number", func(c *Config) { c.Schedule = Constant(math.NaN()) }, "Constant rate is NaN"},
		{"rate without end", func(c *Config) { c.Schedule = Poisson(math.Inf(1), 1) }, "Poisson rate is +Inf"},
		{"a ramp of nothing", func(c *Config) { c.Schedule = Ramp(0, 0, time.Second) }, "not both 0"},
		{"a ramp in no time", func(c *Config) { c.Schedule = Ramp(0, 1, 0) }, "Ramp over 0s"},
		{"no steps", func(c *Config) { c.Schedule = Steps() }, "at least one step"},
		{"a step without a time", func(c *Config) { c.Schedule = Steps(Step{Rate: 1}) }, "step 0"},
		{"an empty trace", func(c *Config) { c.Schedule = Trace(nil) }, "at least one time"},
		{"a trace that goes backwards", func(c *Config) { c.Schedule = Trace([]time.Duration{2, 1}) }, "time 1 is 1ns"},
		{"a negative bound", func(c *Config) { c.Timeout = -1 }, "must not be negative"},
		{"an interval that is too long", func(c *Config) { c.Interval = time.Hour }, "Interval is 1h0m0s: it must be from 10ms to 1m0s"},
		{"a backlog where there is none", func(c *Config) { c.Schedule, c.MaxBacklog = ClosedLoop, 1 }, "leave them 0 in a ClosedLoop"},
		{"an interval that is too short", func(c *Config) { c.Interval = time.Millisecond }, "Interval is 1ms: it must be from 10ms"},
		{"a negative slack", func(c *Config) { c.Slack = -1 }, "Slack must not be negative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := good
			c.change(&cfg)
			res, err := Run(t.Context(), cfg, func(context.Context, int) error { t.Error("sent"); return nil })
			assert.Nil(t, res)
			assert.ErrorContains(t, err, c.say)
		})
	}
	_, err := Run(t.Context(), good, nil)
	assert.ErrorContains(t, err, "call is nil")
	_, err = runAsync(t.Context(), good, nil)
	assert.ErrorContains(t, err, "call is nil")
}

func TestClosedLoopMakesExactlyTheCalls(t *testing.T) {
	for _, calls := range []int64{1, 7, 100, 12345} {
		for _, workers := range []int{1, 3, 200} {
			var made atomic.Int64
			started, stopped := 0, 0
			res, err := Run(t.Context(), Config{
				Workers: workers, Calls: calls, Schedule: ClosedLoop,
				OnStart: func() { started++ }, OnStop: func() { stopped++ },
			}, func(context.Context, int) error { made.Add(1); return nil })
			require.NoError(t, err)
			checkSums(t, res)
			assert.Equal(t, calls, made.Load())
			assert.Equal(t, calls, res.OK)
			assert.Equal(t, []int{1, 1}, []int{started, stopped})
		}
	}
}

func TestClosedLoopInFakeTime(t *testing.T) {
	res, err := fake(t, Config{Workers: 4, Duration: 10 * time.Second, Warmup: time.Second, Schedule: ClosedLoop}, service(100*time.Millisecond))
	require.NoError(t, err)
	assert.EqualValues(t, 400, res.OK, "4 workers, 10 calls a second each")
	assert.Equal(t, 10*time.Second, res.Elapsed)
	assert.InEpsilon(t, 100*time.Millisecond, res.Response.Quantile(.5), .001)
	assert.InEpsilon(t, 100*time.Millisecond, res.Response.Mean(), .001)
	assert.True(t, res.Closed)
	assert.Empty(t, res.Lag.Count())
	assert.Equal(t, res.Response.Quantile(.5), res.Service.Quantile(.5))
	assert.InDelta(t, 40, res.Goodput(), .001)
}

func TestCallsAfterWarmup(t *testing.T) {
	for _, s := range []Schedule{ClosedLoop, Constant(100)} {
		res, err := fake(t, Config{Workers: 2, Calls: 50, Warmup: time.Second, Schedule: s}, service(time.Millisecond))
		require.NoError(t, err)
		assert.EqualValues(t, 50, res.OK, "the warm-up does not count")
	}
}

func TestErrorsAreCountedByKind(t *testing.T) {
	n := 0
	res, err := fake(t, Config{Workers: 1, Calls: 100, Schedule: Constant(100)}, func(context.Context, int) error {
		switch n++; {
		case n%10 == 0:
			return errors.New("tenth")
		case n%25 == 0:
			return errors.New("twenty-fifth")
		}
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, []ErrorKind{{"tenth", 10}, {"twenty-fifth", 2}}, res.ErrorKinds)
	assert.EqualValues(t, 88, res.OK)
}

func TestCheckFailsACallAfterItsEnd(t *testing.T) {
	res, err := fake(t, Config{
		Workers: 1, Calls: 10, Schedule: ClosedLoop,
		Check: func(int) error { time.Sleep(time.Second); return errors.New("wrong") },
	}, service(time.Millisecond))
	require.NoError(t, err)
	assert.EqualValues(t, 10, res.Failed)
	assert.InEpsilon(t, time.Millisecond, res.Response.Max(), .001, "the check is not timed")
}

func TestTimeoutIsRecordedAsAtLeastTheTimeout(t *testing.T) {
	early := func(context.Context, int) error { return context.DeadlineExceeded }
	for _, call := range []Call{service(time.Hour), early} {
		res, err := fake(t, Config{Workers: 10, Calls: 10, Timeout: 50 * time.Millisecond, Schedule: Constant(10)}, call)
		require.NoError(t, err)
		assert.EqualValues(t, 10, res.Failed)
		assert.InEpsilon(t, 50*time.Millisecond, res.Response.Min(), .001)
	}
}

func TestNoTimeoutHandsTheContextOn(t *testing.T) {
	_, err := Run(context.Background(), Config{Workers: 1, Calls: 1, Schedule: ClosedLoop}, func(ctx context.Context, _ int) error {
		assert.Equal(t, context.Background(), ctx)
		return nil
	})
	require.NoError(t, err)
}

func TestCancellationReturnsWhatWasMeasured(t *testing.T) {
	for _, s := range []Schedule{ClosedLoop, Constant(100), Constant(.001)} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			res, err := Run(ctx, Config{Workers: 2, Duration: time.Hour, Schedule: s, RuntimeTimers: true}, service(10*time.Millisecond))
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			require.NotNil(t, res)
			checkSums(t, res)
			assert.Positive(t, res.Sent)
			assert.LessOrEqual(t, res.Elapsed, 5*time.Second+20*time.Millisecond)
		})
	}
}

func TestCallsThatNeverReturnAreFailed(t *testing.T) {
	for _, s := range []Schedule{ClosedLoop, Constant(10)} {
		synctest.Test(t, func(t *testing.T) {
			hang := make(chan struct{})
			res, err := Run(t.Context(), Config{Workers: 3, Duration: time.Second, Drain: 2 * time.Second, Schedule: s, RuntimeTimers: true},
				func(context.Context, int) error { <-hang; return nil })
			close(hang)
			synctest.Wait()
			require.NoError(t, err)
			checkSums(t, res)
			assert.EqualValues(t, 3, res.Failed)
			assert.InEpsilon(t, 3*time.Second+endGrace, res.Errors.Max(), .001, "from due to the end")
			assert.NotEmpty(t, res.Warnings)
			if s != ClosedLoop {
				assert.EqualValues(t, 7, res.Dropped, "10 were due")
			}
		})
	}
}

func TestProgressEndsTheRun(t *testing.T) {
	enough := errors.New("enough")
	var seen []Progress
	res, err := fake(t, Config{
		Workers: 1, Duration: time.Hour, Schedule: Constant(10),
		OnProgress: func(p Progress) error {
			if seen = append(seen, p); len(seen) == 3 {
				return enough
			}
			return nil
		},
	}, nop)
	assert.ErrorIs(t, err, enough)
	require.Len(t, seen, 4, "the run was over within the fourth")
	assert.True(t, seen[3].Over)
	assert.EqualValues(t, 30, seen[2].Ended)
	assert.EqualValues(t, 10, seen[2].Last.OK)
	assert.InDelta(t, 32, res.OK, 1, "gathering may take a quarter of an interval")
}

func TestSeriesTellsTheIntervalsApart(t *testing.T) {
	n := 0
	res, err := fake(t, Config{Workers: 1, Duration: 5 * time.Second, Schedule: Constant(10)}, func(context.Context, int) error {
		if n++; n == 25 {
			time.Sleep(50 * time.Millisecond)
		}
		return nil
	})
	require.NoError(t, err)
	require.Len(t, res.Series, 5)
	for i, s := range res.Series {
		assert.Equal(t, time.Duration(i)*time.Second, s.Start)
		assert.EqualValues(t, 10, s.OK)
		assert.Equal(t, i == 2, s.Max > 40*time.Millisecond, "call 25 ends in interval 2")
	}
}

func TestPanicsEndTheRun(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, c := range []struct {
		name string
		cfg  Config
		call Call
	}{
		{"a call panics in a closed loop", Config{Schedule: ClosedLoop}, func(_ context.Context, w int) error { panic("boom") }},
		{"a call panics in an open loop", Config{Schedule: Constant(1e5)}, func(_ context.Context, w int) error { panic("boom") }},
		{"a call ends its goroutine", Config{Schedule: Constant(1e5)}, func(context.Context, int) error { runtime.Goexit(); return nil }},
		{"the check panics", Config{Schedule: ClosedLoop, Check: func(int) error { panic("boom") }}, nop},
		{"the schedule panics", Config{Schedule: panicky{}}, nop},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.cfg.Workers, c.cfg.Duration = 8, time.Minute
			res, err := Run(t.Context(), c.cfg, c.call)
			var p *PanicError
			require.ErrorAs(t, err, &p)
			assert.NotEmpty(t, p.Error())
			require.NotNil(t, res)
			checkSums(t, res)
			assert.Less(t, res.Elapsed, 10*time.Second)
		})
	}
	for range 1000 { // the goroutines end a moment after the run
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("goroutines are left")
}

type panicky struct{}

func (panicky) Start() Arrivals             { return panicky{} }
func (panicky) Next() (time.Duration, bool) { panic("boom") }

func TestScheduleThatGoesBackwardsEndsTheRun(t *testing.T) {
	res, err := fake(t, Config{Workers: 2, Duration: time.Hour, Schedule: backwards{}}, nop)
	assert.ErrorContains(t, err, "went backwards: call 2 is due at 9ns")
	assert.EqualValues(t, 2, res.OK)
}

type backwards struct{}

func (backwards) Start() Arrivals {
	times := []time.Duration{11, 16, 9}
	return arrivals(func() time.Duration { next := times[0]; times = times[1:]; return next })
}

type arrivals func() time.Duration

func (a arrivals) Next() (time.Duration, bool) { return a(), true }

// runAsync has the call last, where it may be long.
func runAsync(ctx context.Context, cfg Config, call AsyncCall) (*Result, error) {
	return call.Run(ctx, cfg)
}

func TestAsyncCallsAreStampedInDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var inFlight, most atomic.Int64
		res, err := runAsync(t.Context(), Config{Workers: 5, Calls: 1000, Schedule: ClosedLoop, RuntimeTimers: true}, func(_ context.Context, _ int, done func(error)) {
			if n := inFlight.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.AfterFunc(10*time.Millisecond, func() { inFlight.Add(-1); done(nil); done(errors.New("twice")) })
		})
		require.NoError(t, err)
		checkSums(t, res)
		assert.EqualValues(t, 1000, res.OK)
		assert.EqualValues(t, 5, most.Load(), "Workers bounds the calls in flight")
		assert.InEpsilon(t, 10*time.Millisecond, res.Response.Max(), .001)
		assert.Equal(t, 2*time.Second, res.Elapsed)
	})
}

func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
