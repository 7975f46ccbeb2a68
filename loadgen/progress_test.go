package loadgen

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOnProgressHearsOfTheLastInterval, however the run ends, and whether or not the interval
// is cut short: once of each entry of Series.
func TestOnProgressHearsOfTheLastInterval(t *testing.T) {
	stop, cut := errors.New("stop"), context.Canceled
	for _, c := range []struct {
		about string
		cfg   Config
		end   time.Duration // of a call that ends it by cancellation, or of OnProgress if that returns err
		err   error
		n     int
		last  int64 // calls of the last interval
	}{
		{"Calls end it within an interval", Config{Schedule: Constant(100), Calls: 250}, 0, nil, 3, 50},
		{"Calls end it with one", Config{Schedule: Constant(100), Calls: 200}, 0, nil, 2, 100},
		{"Duration ends it within one", Config{Schedule: Constant(100), Duration: 2500 * time.Millisecond}, 0, nil, 3, 50},
		{"Duration ends it with one", Config{Schedule: Constant(100), Duration: 2 * time.Second}, 0, nil, 2, 100},
		{"the schedule ends it", Config{Schedule: Steps(Step{100, 1200 * time.Millisecond})}, 0, nil, 2, 20},
		{"a run is shorter than an interval", Config{Schedule: Constant(100), Calls: 3}, 0, nil, 1, 3},
		{"a closed loop with Calls", Config{Schedule: ClosedLoop, Calls: 250}, 0, nil, 3, 44},
		{"a closed loop with Duration", Config{Schedule: ClosedLoop, Duration: 1500 * time.Millisecond}, 0, nil, 2, 52},
		{"a warm-up is in no interval", Config{Schedule: Constant(100), Warmup: 300 * time.Millisecond, Duration: 1200 * time.Millisecond}, 0, nil, 2, 20},
		{"the caller cancels it", Config{Schedule: Constant(100), Duration: time.Minute}, 1505 * time.Millisecond, cut, 2, 51},
		{"before the first call", Config{Schedule: Constant(1), Warmup: time.Minute, Duration: time.Minute}, time.Second, cut, 1, 0},
		{"the last but one has not been told of when the last ends", Config{Schedule: Constant(100), Calls: 201}, 0, nil, 3, 1},
		{"short intervals", Config{Schedule: Constant(100), Duration: 95 * time.Millisecond, Interval: 20 * time.Millisecond}, 0, nil, 5, 2},
		{"OnProgress says that it is enough", Config{Schedule: Constant(100), Duration: time.Minute}, 2 * time.Second, ErrEnough, 3, 4},
		{"OnProgress stops it", Config{Schedule: Constant(100), Duration: time.Minute}, 2 * time.Second, stop, 3, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var told []Progress
			c.cfg.Workers, c.cfg.RuntimeTimers = 1, true
			c.cfg.OnProgress = func(p Progress) error {
				told = append(told, p)
				assert.Equal(t, p.Last.OK+p.Last.Failed, p.Responses.Count(), c.about)
				if c.end > 0 && !errors.Is(c.err, cut) && p.Elapsed >= c.end {
					return c.err
				}
				return nil
			}
			if errors.Is(c.err, cut) {
				time.AfterFunc(c.end, cancel)
			}
			res, err := Run(ctx, c.cfg, service(9700*time.Microsecond))
			if errors.Is(c.err, ErrEnough) {
				c.err = nil
			}
			require.ErrorIs(t, err, c.err, c.about)
			require.Len(t, told, c.n, c.about)
			require.Len(t, res.Series, c.n, c.about)
			for i, p := range told {
				assert.Equal(t, res.Series[i], p.Last, c.about)
				assert.Equal(t, i == c.n-1, p.Over, "%s: interval %d", c.about, i)
			}
			assert.Equal(t, c.last, told[c.n-1].Last.OK+told[c.n-1].Last.Failed, c.about)
			assert.Equal(t, res.Sent, told[c.n-1].Ended, c.about)
		})
	}
}

// TestTheLastOnProgressIsAHook like those before: what it does wrong is the run's error.
func TestTheLastOnProgressIsAHook(t *testing.T) {
	bad := errors.New("bad")
	for about, c := range map[string]struct {
		hook func() error
		want any
	}{
		"an error":         {func() error { return bad }, &bad},
		"a panic":          {func() error { panic("boom") }, new(*PanicError)},
		"it is enough":     {func() error { return ErrEnough }, nil},
		"nothing is wrong": {func() error { return nil }, nil},
	} {
		res, err := fake(t, Config{Workers: 1, Schedule: ClosedLoop, Calls: 3, OnProgress: func(Progress) error { return c.hook() }}, service(time.Millisecond))
		assert.EqualValues(t, 3, res.OK, about)
		if c.want == nil {
			assert.NoError(t, err, about)
			continue
		}
		assert.ErrorAs(t, err, c.want, about)
	}
}
