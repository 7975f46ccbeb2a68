package loadgen

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestALostReplyEndsARun of asynchronous calls, of which the tenth is never
// answered. A bubble of synctest that leaves a goroutine behind fails.
func TestALostReplyEndsARun(t *testing.T) {
	for _, c := range []struct {
		about  string
		cfg    Config
		ends   time.Duration // when the run ends, from its start
		failed int64
	}{
		{"by Drain after the last of Calls was due", Config{Schedule: Constant(100), Calls: 100, Drain: 2 * time.Second}, 990*time.Millisecond + 2*time.Second, 1},
		{"by Drain after a schedule has ended", Config{Schedule: Steps(Step{100, time.Second}), Drain: 2 * time.Second}, 990*time.Millisecond + 2*time.Second, 1},
		{"by Drain after Duration", Config{Schedule: Constant(100), Duration: time.Second, Drain: 2 * time.Second}, 3 * time.Second, 1},
		{"by Drain after the last call of a closed loop", Config{Schedule: ClosedLoop, Calls: 100, Drain: 2 * time.Second}, 2 * time.Second, 1},
		{"by the Timeout of the call", Config{Schedule: Constant(100), Calls: 100, Timeout: 50 * time.Millisecond}, 990 * time.Millisecond, 1},
		{"by Timeout in a closed loop", Config{Schedule: ClosedLoop, Calls: 100, Timeout: 50 * time.Millisecond}, 50 * time.Millisecond, 1},
		{"without a worker left to send the rest", Config{Workers: 1, Schedule: Constant(100), Calls: 100, Drain: time.Second}, 990*time.Millisecond + time.Second, 1},
		{"without a caller left in a closed loop", Config{Workers: 1, Schedule: ClosedLoop, Calls: 100, Drain: time.Second}, time.Second, 1},
	} {
		t.Run(c.about, func(t *testing.T) {
			c.cfg.Workers, c.cfg.RuntimeTimers = cmp.Or(c.cfg.Workers, 2), true
			synctest.Test(t, func(t *testing.T) {
				var made atomic.Int64
				start := time.Now()
				res, err := runAsync(t.Context(), c.cfg, func(_ context.Context, _ int, done func(error)) {
					if made.Add(1) != 10 {
						done(nil)
					}
				})
				if c.cfg.Schedule == ClosedLoop && c.cfg.Workers == 1 {
					assert.ErrorContains(t, err, "every worker has waited")
				} else {
					require.NoError(t, err)
				}
				checkSums(t, res)
				assert.Equal(t, made.Load(), res.Sent)
				assert.Equal(t, c.failed, res.Failed)
				assert.InDelta(t, c.ends, time.Since(start), float64(300*time.Millisecond))
			})
		})
	}
}

// TestALateReplyEndsNoOtherCall: a call that timed out is answered while the
// worker waits for its next one.
func TestALateReplyEndsNoOtherCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res, err := runAsync(t.Context(), Config{Workers: 1, Calls: 10, Schedule: ClosedLoop, Timeout: 10 * time.Millisecond, RuntimeTimers: true},
			func(_ context.Context, _ int, done func(error)) {
				time.AfterFunc(15*time.Millisecond, func() { done(nil) })
			})
		require.NoError(t, err)
		assert.EqualValues(t, 10, res.Failed)
		assert.InEpsilon(t, 10*time.Millisecond, res.Response.Max(), .001)
		time.Sleep(time.Second) // the last reply
	})
}

func TestHooksThatPanicEndTheRun(t *testing.T) {
	before := runtime.NumGoroutine()
	boom := func() { panic("boom") }
	for _, c := range []struct {
		hook string
		cfg  Config
	}{
		{"OnStart", Config{OnStart: boom}},
		{"OnStart", Config{OnStart: boom, Warmup: 20 * time.Millisecond}},
		{"OnStop", Config{OnStop: boom, Calls: 10}},
		{"OnProgress", Config{OnProgress: func(Progress) error { boom(); return nil }, Interval: minInterval}},
		{"OnProgress", Config{OnProgress: func(Progress) error { runtime.Goexit(); return nil }, Interval: minInterval}},
		{"", Config{OnCall: func(int, Arrival) { boom() }}},
		{"Schedule", Config{Schedule: panicky{}}},
		{"Schedule", Config{Schedule: startless{}}},
	} {
		for _, schedule := range []Schedule{ClosedLoop, Constant(1e4)} {
			c.cfg.Workers, c.cfg.Duration = 8, time.Minute
			if c.cfg.Schedule == nil || c.hook != "Schedule" {
				c.cfg.Schedule = schedule
			}
			res, err := Run(t.Context(), c.cfg, nop)
			var p *PanicError
			require.ErrorAs(t, err, &p, c.hook)
			assert.Equal(t, c.hook, p.Hook)
			assert.Contains(t, p.Error(), "loadgen: "+cmp.Or(c.hook, "the call of worker")+" ")
			assert.NotContains(t, p.Error(), "worker -1", "a hook has no worker")
			if res != nil {
				checkSums(t, res)
				assert.Less(t, res.Elapsed, 10*time.Second)
			}
		}
	}
	noMoreGoroutinesThan(t, before)
}

type startless struct{}

func (startless) Start() Arrivals { panic("boom") }

// TestAHookMayEndItsGoroutine, as t.FailNow does: what Run started ends all the
// same, though Run does not return.
func TestAHookMayEndItsGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, schedule := range []Schedule{ClosedLoop, Constant(1e4)} {
		for _, hooks := range []Config{{OnStart: runtime.Goexit}, {OnStop: runtime.Goexit, Calls: 10}} {
			hooks.Workers, hooks.Duration, hooks.Schedule = 8, time.Minute, schedule
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				Run(context.Background(), hooks, nop)
				t.Error("Run returned")
			}()
			<-ended
		}
	}
	noMoreGoroutinesThan(t, before)
}

func TestACancelledContextMakesNoCall(t *testing.T) {
	for _, s := range []Schedule{ClosedLoop, Constant(1e6)} {
		res, err := Run(canceled(t), Config{Workers: 100, Schedule: s, Duration: time.Minute, OnStart: func() { t.Error("started") }},
			func(context.Context, int) error { t.Error("made"); return nil })
		assert.ErrorIs(t, err, context.Canceled)
		assert.Zero(t, res.Due)
		assert.Equal(t, s == ClosedLoop, res.Closed)
	}
}

func TestARunInWhichEveryCallFailedSaysSo(t *testing.T) {
	for _, s := range []Schedule{ClosedLoop, Constant(1000)} {
		res, err := fake(t, Config{Workers: 2, Schedule: s, Calls: 2000}, func(context.Context, int) error {
			time.Sleep(time.Millisecond)
			return errors.New("refused")
		})
		require.NoError(t, err)
		assert.ErrorIs(t, errors.Join(res.Warnings...), ErrAllFailed)
		assert.ErrorContains(t, errors.Join(res.Warnings...), "every call failed: 2000 × refused")
	}
}

// TestACallLearnsItsNumberAndDueTime.
func TestACallLearnsItsNumberAndDueTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []Arrival
		start := time.Now()
		res, err := Run(t.Context(), Config{
			Workers: 1, Schedule: Constant(100), Calls: 20, Warmup: 100 * time.Millisecond, RuntimeTimers: true,
			OnCall: func(worker int, a Arrival) { seen = append(seen, a) },
		}, service(30*time.Millisecond))
		require.NoError(t, err)
		require.Len(t, seen, 30, "the warm-up has numbers too")
		for i, a := range seen {
			assert.EqualValues(t, i, a.Number)
			assert.WithinDuration(t, start.Add(time.Duration(i)*10*time.Millisecond), a.Due, time.Millisecond)
		}
		assert.EqualValues(t, 20, res.Sent)
	})
}

// TestAPanicIsTold even if something else has ended the run before.
func TestAPanicIsTold(t *testing.T) {
	for _, c := range []struct {
		about string
		cfg   Config
	}{
		{"after enough was known", Config{Schedule: ClosedLoop, OnProgress: func(Progress) error { return ErrEnough }}},
		{"after Drain was over", Config{Schedule: Constant(100), Duration: time.Second, Drain: -1}},
	} {
		t.Run(c.about, func(t *testing.T) {
			c.cfg.Workers, c.cfg.RuntimeTimers, c.cfg.OnStop = 1, true, func() { panic("boom") }
			c.cfg.Duration = cmp.Or(c.cfg.Duration, time.Minute)
			_, err := fake(t, c.cfg, service(30*time.Millisecond))
			var p *PanicError
			require.ErrorAs(t, err, &p)
			assert.Equal(t, "OnStop", p.Hook)
		})
	}
}

// TestAHookMayEndItsGoroutineBesideALostCall.
func TestAHookMayEndItsGoroutineBesideALostCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			Run(context.Background(), Config{Workers: 1, Schedule: ClosedLoop, Duration: time.Second, Drain: -1, RuntimeTimers: true, OnStop: runtime.Goexit},
				func(context.Context, int) error { <-release; return nil })
		}()
		<-ended
		close(release)
	})
}

// TestAScheduleMayEndItsGoroutine, which belongs to a worker that holds the token.
func TestAScheduleMayEndItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		res, err := Run(t.Context(), Config{Workers: 10, Schedule: exiting{}, Duration: time.Hour, RuntimeTimers: true}, nop)
		var p *PanicError
		require.ErrorAs(t, err, &p)
		assert.Equal(t, "Schedule", p.Hook)
		assert.Nil(t, p.Value)
		checkSums(t, res)
		assert.Less(t, time.Since(start), time.Second)
	})
}

type exiting struct{}

func (exiting) Start() Arrivals {
	n := 0
	return arrivals(func() time.Duration {
		if n++; n == 10 {
			runtime.Goexit()
		}
		return time.Duration(n) * time.Millisecond
	})
}

// TestACallThatHangsInTheWarmup is not counted in the run, and is warned of.
func TestACallThatHangsInTheWarmup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		res, err := Run(t.Context(), Config{Workers: 2, Schedule: ClosedLoop, Warmup: time.Second, Duration: time.Second, Drain: -1, RuntimeTimers: true},
			func(context.Context, int) error { <-hang; return nil })
		close(hang)
		require.NoError(t, err)
		assert.Zero(t, res.Sent)
		assert.ErrorIs(t, errors.Join(res.Warnings...), ErrUnfinished)
	})
}

// TestEnoughWakesTheOneThatWaits for an arrival in the distant future.
func TestEnoughWakesTheOneThatWaits(t *testing.T) {
	for _, way := range ways {
		begin := time.Now()
		res, err := Run(t.Context(), way.with(Config{
			Workers: 2, Schedule: Trace([]time.Duration{0, time.Hour}), Interval: minInterval,
			OnProgress: func(Progress) error { return ErrEnough },
		}), nop)
		require.NoError(t, err)
		assert.EqualValues(t, 1, res.Due)
		assert.Less(t, time.Since(begin), 8*time.Second, "Drain is 10 s")
	}
}

// TestAStalledGeneratorIsToldByWhatItDrops, when calls too late are not sent.
func TestAStalledGeneratorIsToldByWhatItDrops(t *testing.T) {
	res, err := fake(t, Config{Workers: 10, Schedule: new(slow), Calls: 2000, MaxLag: time.Millisecond}, nop)
	require.NoError(t, err)
	assert.Positive(t, res.Dropped)
	assert.ErrorIs(t, errors.Join(res.Warnings...), ErrGenerator)
}

// TestAGeneratorThatNeverStandsStillIsToldByItsLag, if it sends more slowly than calls are due.
func TestAGeneratorThatNeverStandsStillIsToldByItsLag(t *testing.T) {
	res, err := fake(t, Config{Workers: 10, Schedule: dawdling{Constant(2000)}, Calls: 1000}, nop)
	require.NoError(t, err)
	assert.Greater(t, res.Lag.Quantile(.99), 10*time.Millisecond)
	assert.ErrorIs(t, errors.Join(res.Warnings...), ErrGenerator)
}

// dawdling is a schedule of which each arrival takes nine tenths of a millisecond.
type dawdling struct{ Schedule }

func (d dawdling) Start() Arrivals { return dawdlingArrivals{d.Schedule.Start()} }

type dawdlingArrivals struct{ Arrivals }

func (d dawdlingArrivals) Next() (due time.Duration, ok bool) {
	time.Sleep(900 * time.Microsecond)
	return d.Arrivals.Next()
}

func TestCrowded(t *testing.T) {
	for _, c := range []struct {
		name   string
		waited time.Duration
		used   float64
		want   string
	}{
		{"goroutines wait long, and this process uses its processors", 1200 * time.Microsecond, .83, "the calls left too few processors to the generator: goroutines waited for one of 2 (GOMAXPROCS), p99 1.2ms, and this process used 83 % of them: the calls need more procs, or a second process that makes some of them"},
		{"goroutines run at once: a timer or another process was late", 100 * time.Microsecond, .83, ""},
		{"processors are idle: the host or another process took the CPUs", 1200 * time.Microsecond, .3, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			warnings := crowded(2, c.waited, c.used)
			if c.want == "" {
				assert.Empty(t, warnings)
				return
			}
			assert.EqualError(t, errors.Join(warnings...), c.want)
			assert.ErrorIs(t, errors.Join(warnings...), ErrProcs)
		})
	}
}
