package loadgen

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fifo is a call of a server with one queue, in fake time.
func fifo(service func() time.Duration) Call {
	var mu sync.Mutex
	start, free := time.Now(), time.Duration(0)
	return func(context.Context, int) error {
		mu.Lock()
		now := time.Since(start)
		free = max(free, now) + service()
		wait := free - now
		mu.Unlock()
		time.Sleep(wait)
		return nil
	}
}

// capacity searches in fake time, and says how much of it that took.
func capacity(t *testing.T, cfg Config, o Objective, server func() Call) (l *Limit, took time.Duration, err error) {
	cfg.Wait = WaitSleep
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel() // of calls that do not return
		start := time.Now()
		l, err = Capacity(ctx, cfg, server(), o)
		took = time.Since(start)
	})
	return l, took, err
}

// TestCapacityBadInput: one clear sentence, before any probe.
func TestCapacityBadInput(t *testing.T) {
	good := Objective{Quantile: .99, Latency: 5 * time.Millisecond}
	quick := service(time.Millisecond)
	broken := func(context.Context, int) error { time.Sleep(time.Millisecond); return errors.New("down") }
	var n atomic.Int64
	flaky := func(context.Context, int) error {
		time.Sleep(time.Millisecond)
		if n.Add(1)%10 == 0 {
			return errors.New("flaky")
		}
		return nil
	}
	for _, c := range []struct {
		about  string
		change func(*Config, *Objective)
		call   Call
		say    string
	}{
		{"a quantile of 0", func(_ *Config, o *Objective) { o.Quantile = 0 }, quick, "Quantile is 0: it must be more than 0 and less than 1"},
		{"a quantile of 1", func(_ *Config, o *Objective) { o.Quantile = 1 }, quick, "Quantile is 1:"},
		{"a percentage", func(_ *Config, o *Objective) { o.Quantile = 99 }, quick, "Quantile is 99:"},
		{"a quantile that is no number", func(_ *Config, o *Objective) { o.Quantile = math.NaN() }, quick, "Quantile is NaN:"},
		{"no latency", func(_ *Config, o *Objective) { o.Latency = 0 }, quick, "Latency is 0s"},
		{"all may fail", func(_ *Config, o *Objective) { o.ErrorRate = 1 }, quick, "ErrorRate is 1:"},
		{"an error rate that is no number", func(_ *Config, o *Objective) { o.ErrorRate = math.NaN() }, quick, "ErrorRate is NaN:"},
		{"probes below none", func(_ *Config, o *Objective) { o.MaxProbes = -1 }, quick, "MaxProbes is -1"},
		{"a rate of its own", func(c *Config, _ *Objective) { c.Schedule = Constant(1) }, quick, "leave Config.Schedule empty"},
		{"a number of calls", func(c *Config, _ *Objective) { c.Calls = 1 }, quick, "leave Config.Calls and Until empty"},
		{"calls that are dropped", func(c *Config, _ *Objective) { c.MaxLag = 1 }, quick, "leave Config.MaxLag and MaxBacklog empty"},
		{"no workers", func(c *Config, _ *Objective) { c.Workers = 0 }, quick, "Workers is 0"},
		{"an objective below the service time", func(_ *Config, o *Objective) { o.Latency = time.Millisecond / 2 }, quick, "p99 ≤ 500µs cannot be met: even for one caller alone it is 1"},
		{"one call that takes longer than all that is looked at", nil, service(3 * time.Second), "even for one caller alone it is 3.00"},
		{"a server that fails every call", nil, broken, "no call succeeded, of one caller alone: 1000 × down"},
		{"a server that fails some", func(_ *Config, o *Objective) { o.ErrorRate = .01 }, flaky, "100 of 1000 calls of one caller alone fail, more than ErrorRate 0.01"},
		{"a server that does not return", nil, service(time.Hour), "calls do not return"},
	} {
		t.Run(c.about, func(t *testing.T) {
			cfg, o := Config{Workers: 10}, good
			if c.change != nil {
				c.change(&cfg, &o)
			}
			l, _, err := capacity(t, cfg, o, func() Call { return c.call })
			assert.ErrorContains(t, err, c.say)
			assert.Nil(t, l)
		})
	}
}

// TestCapacityOf servers that are no queue.
func TestCapacityOf(t *testing.T) {
	// limited serves so many at a time, 1 ms each.
	limited := func(n int, then func() error) Call {
		room := make(chan struct{}, n)
		return func(context.Context, int) error {
			room <- struct{}{}
			time.Sleep(time.Millisecond)
			<-room
			return then()
		}
	}
	fine := func() error { return nil }
	for _, c := range []struct {
		about   string
		workers int
		server  func() Call
		from    float64
		to      float64
		warned  bool
	}{
		{"four at a time are 4000/s, and less with p99 of 5 ms", 200, func() Call { return limited(4, fine) }, 3400, 3550, false},
		{"workers that are too few are named", 4, func() Call { return service(time.Millisecond) }, 3400, 3550, true},
		{"errors above a rate are the limit", 200, func() Call {
			var mu sync.Mutex
			start, n := time.Now(), 0
			return func(context.Context, int) error {
				time.Sleep(time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				if time.Since(start) > time.Second { // 1000/s at most
					start, n = time.Now(), 0
				}
				if n++; n > 1000 {
					return errors.New("over the limit")
				}
				return nil
			}
		}, 850, 1000, false},
	} {
		t.Run(c.about, func(t *testing.T) {
			l, took, err := capacity(t, Config{Workers: c.workers}, Objective{Quantile: .99, Latency: 5 * time.Millisecond, ErrorRate: .001}, c.server)
			require.NoError(t, err)
			t.Logf("%.0f calls/s from %.0f to %.0f in %v: %v", l.Rate, l.Low, l.High, took, l.Probes)
			assert.True(t, c.from <= l.Rate && l.Rate <= c.to, l.Rate)
			assert.True(t, l.Low <= l.Rate && l.Rate <= l.High)
			warnings := slices.DeleteFunc(l.Warnings, func(w error) bool { return errors.Is(w, ErrHost) }) // which is in real time
			assert.Equal(t, c.warned, len(warnings) > 0, warnings)
		})
	}
}

// TestProbesFindTheServerIdle, even when calls time out that it still works on.
func TestProbesFindTheServerIdle(t *testing.T) {
	for _, timeout := range []time.Duration{0, 20 * time.Millisecond} {
		var inFlight, found atomic.Int64
		l, _, err := capacity(t, Config{Workers: 100, Timeout: timeout}, Objective{
			Quantile: .99, Latency: 5 * time.Millisecond, ErrorRate: .001,
			Schedule: func(rate float64) Schedule { found.Add(inFlight.Load()); return Poisson(rate, 1) },
		}, func() Call {
			call := fifo(fixed(time.Millisecond))
			return func(ctx context.Context, w int) error {
				done := make(chan error, 1)
				inFlight.Add(1)
				go func() {
					err := call(ctx, w)
					inFlight.Add(-1)
					done <- err
				}()
				select {
				case err := <-done:
					return err
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		})
		require.NoError(t, err)
		assert.Zero(t, found.Load(), "in flight when a probe begins")
		assert.InEpsilon(t, 567, l.Rate, .05)
	}
}

// TestCapacityEnds early: with what was found until then.
func TestCapacityEnds(t *testing.T) {
	stop := errors.New("stop")
	for _, c := range []struct {
		about  string
		probes int // that are made
		err    error
		change func(*Config, *Objective)
	}{
		{"after as many probes as it may make", 2, nil, func(_ *Config, o *Objective) { o.MaxProbes = 2 }},
		{"when Progress says so", 0, stop, func(c *Config, _ *Objective) { c.OnProgress = func(Progress) error { return stop } }},
	} {
		t.Run(c.about, func(t *testing.T) {
			cfg, o := Config{Workers: 100}, Objective{Quantile: .99, Latency: 50 * time.Millisecond}
			seen := 0
			o.OnProbe = func(Probe) { seen++ }
			c.change(&cfg, &o)
			l, _, err := capacity(t, cfg, o, func() Call { return service(time.Millisecond) })
			assert.ErrorIs(t, err, c.err)
			assert.Equal(t, c.probes, seen)
			if c.err == nil {
				require.Len(t, l.Probes, seen)
				assert.True(t, l.Probes[0].Holds)
				assert.True(t, math.IsInf(l.High, 1), "none failed")
				assert.Equal(t, l.Probes[1].Rate, l.Rate)
			}
		})
	}
}
