//go:build !race

// These tests take minutes, and a quarter of an hour under the race detector, which
// finds nothing here that it does not find in other tests.

package loadgen

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var searches = flag.Int("searches", 2, "searches for the capacity of each simulated server; 50 take minutes")

// TestCapacityOfQueues searches for the capacity of servers for which it can be
// computed. For M/M/1 p99 = ln(100)/(μ−λ), so λ = μ − ln(100)/X. For M/D/1 the capacity
// is the rate at which the waiting time, by Erlang's formula, plus 1/μ has its 99th
// percentile at X.
func TestCapacityOfQueues(t *testing.T) {
	const mu = 10e3
	for _, c := range []struct {
		name  string
		fixed bool
		slo   time.Duration
		want  float64
	}{
		{"M/M/1, 5 ms", false, 5 * time.Millisecond, mu - math.Log(100)/.005},
		{"M/D/1, 5 ms", true, 5 * time.Millisecond, 9540.5},
		{"M/M/1, 1 ms", false, time.Millisecond, mu - math.Log(100)/.001},
		{"M/D/1, 1 ms", true, time.Millisecond, 7734.9},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			near, covered := 0, 0
			probes, longest, slowest := 0, time.Duration(0), time.Duration(0)
			for seed := range *searches {
				begin := time.Now()
				random := rand.New(rand.NewPCG(uint64(seed), 9))
				service := func() time.Duration {
					if c.fixed {
						return time.Duration(1e9 / mu)
					}
					return time.Duration(random.ExpFloat64() / mu * 1e9)
				}
				s := Search{Workers: 500, Quantile: .99, Latency: c.slo, ErrorRate: .001, Schedule: func(rate float64) Schedule { return Poisson(rate, random.Uint64()) }}
				l, took, err := find(t, s, func() Call { return fifo(service) })
				require.NoError(t, err)
				off := l.Rate/c.want - 1
				t.Logf("seed %d: %.0f calls/s, %+.2f %%, from %.0f to %.0f, %d probes, %v, really %v", seed, l.Rate, off*100, l.Low, l.High, len(l.Probes), took, time.Since(begin))
				if math.Abs(off) <= .02 {
					near++
				}
				if l.Low <= c.want && c.want <= l.High {
					covered++
				}
				probes, longest, slowest = max(probes, len(l.Probes)), max(longest, took), max(slowest, time.Since(begin))
			}
			t.Logf("%d of %d within 2 %%, %d in the interval; at most %d probes, %v, really %v", near, *searches, covered, probes, longest, slowest)
			assert.GreaterOrEqual(t, near, *searches*9/10)
			assert.LessOrEqual(t, probes, 13)
			assert.LessOrEqual(t, longest, 125*time.Second)
		})
	}
}

// TestCapacityWithSpread has pauses that make calls late. The share of late calls then
// grows slowly with the rate, and there are more pauses at some times than at others.
func TestCapacityWithSpread(t *testing.T) {
	const want, spread = 1e3, .5
	squares, covered := 0.0, 0
	for seed := range *searches {
		random := rand.New(rand.NewPCG(uint64(seed), 7))
		late := 0.0
		s := Search{Workers: 500, Quantile: .99, Latency: 5 * time.Millisecond, Schedule: func(rate float64) Schedule {
			late = .01 * math.Pow(rate/want, 2) * math.Exp(spread*random.NormFloat64())
			return Poisson(rate, random.Uint64())
		}}
		l, took, err := find(t, s, func() Call {
			return func(context.Context, int) error {
				if random.Float64() < late {
					time.Sleep(7 * time.Millisecond)
				}
				time.Sleep(3 * time.Millisecond)
				return nil
			}
		})
		require.NoError(t, err)
		off := l.Rate/want - 1
		t.Logf("seed %d: %.0f calls/s, %+.2f %%, from %.0f to %.0f, %d probes, %v, %v", seed, l.Rate, off*100, l.Low, l.High, len(l.Probes), took, l.Warnings)
		squares += off * off
		if l.Low <= want && want <= l.High {
			covered++
		}
		assert.LessOrEqual(t, took, 5*time.Minute)
	}
	rms := math.Sqrt(squares / float64(*searches))
	t.Logf("off by %.2f %% (rms), %d of %d in the interval", rms*100, covered, *searches)
	assert.Less(t, rms, .15) // .17 in 30 searches by bisection alone
}
