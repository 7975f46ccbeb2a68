//go:build !race

// Nothing here runs beside anything else: the race detector could find nothing.

package capacity

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/batch"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// faked searches with simulated probes of 5,000 calls. late is the share of late calls
// at a rate, which differs from probe to probe by spread.
func faked(random *rand.Rand, late func(rate float64) float64, spread float64) *Result {
	f := &finder{Config: Config{Quantile: .99, Latency: 5 * time.Millisecond, Workers: 10}.withDefaults(), fails: math.Inf(1), first: 10e3}
	for rate := f.first; rate >= f.first*lowestRate; rate = f.next() {
		share := min(late(rate)*math.Exp(spread*random.NormFloat64()), .999)
		batches := new(batch.Shares)
		for range 25 {
			n := 200*share + math.Sqrt(200*share*(1-share))*random.NormFloat64()
			batches.With, batches.All = append(batches.With, n), append(batches.All, 200)
		}
		share = min(max(batches.Share(), 1e-6), 1-1e-6)
		f.take(Probe{
			Rate: rate, Holds: share <= .01, Certain: true, late: true, Result: new(loadgen.Result), batches: batches,
			share: share, odds: batch.Logit(share) - batch.Logit(.01), oddsErr: 1 / math.Sqrt(5000*share*(1-share)),
		})
		if f.done() {
			break
		}
	}
	f.conclude()
	return &f.Result
}

// TestTheRateIsNotWhatDecides if the share of late calls does not grow with it.
func TestTheRateIsNotWhatDecides(t *testing.T) {
	n := max(15**searches, fewer(100, 40))
	one := 1 / float64(n)
	level := func(share float64) func(float64) float64 { return func(float64) float64 { return share } }
	for _, c := range []struct {
		about   string
		late    func(rate float64) float64
		spread  float64
		warned  [2]float64 // bounds on the share of searches that warn
		covered float64    // the least share of searches whose interval contains 20,000/s; 1 where that is not checked
	}{
		{"pauses make 1 % late at every rate", level(.01), .3, [2]float64{.9, 1}, 1},
		{"pauses make 0.8 %, now more and now less", level(.008), .6, [2]float64{.8, 1}, 1},
		{"fewer at higher rates, as on a machine that is kept awake", func(rate float64) float64 { return .01 * math.Pow(rate/1e4, -.1) }, .3, [2]float64{.8, 1}, 1},
		{"a queue with one server", func(rate float64) float64 { return math.Min(math.Exp(-(20920-rate)*.005), .999) }, 0, [2]float64{0, 0}, .9},
		{"a queue, on a machine that changes", func(rate float64) float64 { return math.Min(math.Exp(-(20920-rate)*.005), .999) }, .5, [2]float64{0, .02}, .9},
		{"a few pauses beside a queue", func(rate float64) float64 { return .003 + math.Min(math.Exp(-(20920-rate)*.005), .996) }, .3, [2]float64{0, .02}, 0},
		{"a server that refuses from a rate on", func(rate float64) float64 { return map[bool]float64{true: .5, false: 1e-5}[rate > 20e3] }, 0, [2]float64{0, 0}, .9},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			warned, covered := 0.0, 0.0
			for seed := range uint64(n) {
				l := faked(rand.New(rand.NewPCG(seed, 1)), c.late, c.spread)
				if isWarned(l, ErrNotTheRate) {
					warned += one
					assert.Zero(t, l.Low)
					assert.True(t, math.IsInf(l.High, 1), "no narrow interval around an arbitrary rate")
				}
				if l.Low <= 20e3 && 20e3 <= l.High {
					covered += one
				}
			}
			t.Logf("%.3f are warned, %.3f hold 20,000/s", warned, covered)
			assert.GreaterOrEqual(t, warned+1e-9, c.warned[0])
			assert.LessOrEqual(t, warned, c.warned[1]+1e-9)
			assert.True(t, c.covered == 1 || covered >= c.covered)
		})
	}
}

func isWarned(c *Result, kind error) bool { return kindOf(c.Warnings, kind) != nil }

// TestNotTheRateSaysWhatWouldTellMore for a server that pauses for 20 ms now and then
// at any rate.
func TestNotTheRateSaysWhatWouldTellMore(t *testing.T) {
	if testing.Short() {
		t.Skip("a search by calls in fake time takes a second")
	}
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	var warning error
	for range 5 {
		c, _, err := find(t, Config{Quantile: .99, Latency: 5 * time.Millisecond, Workers: 500, ProbeTime: 4 * time.Second}, func() loadgen.Call {
			return pausing(random)
		})
		if err != nil {
			continue // no rate held
		}
		if warning = kindOf(c.Warnings, ErrNotTheRate); warning != nil {
			break
		}
	}
	require.Error(t, warning)
	t.Log(warning)
	assert.ErrorContains(t, warning, "the rate is not what decides: from ")
	assert.ErrorContains(t, warning, "of the calls took over 5ms")
	assert.ErrorContains(t, warning, "pauses of the callee or of the machine made them, not load; p9")
}

// pausing stands still for 20 ms, about every 1.5 s, and is fast otherwise.
func pausing(random *rand.Rand) loadgen.Call {
	begin := time.Now()
	var mu sync.Mutex
	next, until := time.Duration(0), time.Duration(0)
	return func(context.Context, int) error {
		mu.Lock()
		now := time.Since(begin)
		for now >= next {
			until = next + 20*time.Millisecond
			next += time.Duration((.2 + random.ExpFloat64()*1.3) * 1e9)
		}
		wait := max(until-now, 0) + 100*time.Microsecond
		mu.Unlock()
		time.Sleep(wait)
		return nil
	}
}

func kindOf(list []error, kind error) error {
	i := slices.IndexFunc(list, func(err error) bool { return errors.Is(err, kind) })
	if i < 0 {
		return nil
	}
	return list[i]
}
