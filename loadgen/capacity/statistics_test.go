//go:build !race

// The race detector slows these simulations tenfold, and finds nothing here that it does
// not find in TestRandomConfigurations, which runs the same code in real time.

package capacity

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var searches = flag.Int("searches", 0, "searches for the capacity of each simulated server; 0 is each test's own number, 50 take minutes")

// TestCapacityOfQueues searches for the capacity of servers for which it can be
// computed. For M/M/1 p99 = ln(100)/(μ−λ), so λ = μ − ln(100)/X. For M/D/1 the capacity
// is the rate at which the waiting time, by Erlang's formula, plus 1/μ has its 99th
// percentile at X. TestCapacityIsNotBiased searches the same queues many times without
// goroutines; here calls are made, once for each of the two queues with fewer calls.
func TestCapacityOfQueues(t *testing.T) {
	if testing.Short() {
		t.Skip("two searches by calls in fake time take 3 s")
	}
	for _, c := range queues {
		if *searches == 0 && c.slo > time.Millisecond {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var sum searched
			for seed := range uint64(max(*searches, 1)) {
				random := rand.New(rand.NewPCG(seed, 9))
				service := c.service(random)
				s := Config{Workers: 500, Quantile: .99, Latency: c.slo, ErrorRate: .001, Schedule: func(rate float64) loadgen.Schedule { return loadgen.Poisson(rate, random.Uint64()) }}
				l, took, err := find(t, s, func() loadgen.Call { return fifo(service) })
				require.NoError(t, err)
				t.Logf("seed %d: %.0f calls/s, from %.0f to %.0f", seed, l.Rate, l.Low, l.High)
				sum.add(l, took, c.want)
			}
			sum.check(t)
		})
	}
}

// searched sums up what searches have found.
type searched struct {
	off     []float64 // Rate over the capacity, less 1
	covered float64   // searches whose interval has the capacity
	probes  int       // the most of a search
	longest time.Duration
	sum     struct {
		probes int
		took   time.Duration
	}
}

func (s *searched) add(l *Result, took time.Duration, want float64) {
	s.off = append(s.off, l.Rate/want-1)
	if l.Low <= want && want <= l.High {
		s.covered++
	}
	s.probes, s.longest = max(s.probes, len(l.Probes)), max(s.longest, took)
	s.sum.probes, s.sum.took = s.sum.probes+len(l.Probes), s.sum.took+took
}

// check wants nine of ten rates within 2 %, and that no search takes long.
func (s *searched) check(t *testing.T) {
	near, n := 0, len(s.off)
	for _, x := range s.off {
		if math.Abs(x) <= .02 {
			near++
		}
	}
	t.Logf("%d of %d within 2 %%, %.0f in the interval; at most %d probes and %v, %.1f and %v a search", near, n, s.covered, s.probes, s.longest, float64(s.sum.probes)/float64(n), s.sum.took/time.Duration(n))
	assert.GreaterOrEqual(t, near, n*9/10)
	assert.LessOrEqual(t, s.probes, 13)
	assert.LessOrEqual(t, s.longest, 125*time.Second)
}

// TestCapacityWithSpread has pauses that make calls late. The share of late calls then
// grows slowly with the rate, and there are more pauses at some times than at others.
// Each call takes its time beside the others, so the runs are computed and not run.
func TestCapacityWithSpread(t *testing.T) {
	t.Parallel()
	const want, spread = 1e3, .5
	squares, covered, n := 0.0, 0, cmp.Or(4**searches, fewer(16, 4))
	for seed := range uint64(n) {
		random := rand.New(rand.NewPCG(seed, 7))
		late := 0.0
		s := Config{Workers: 500, Quantile: .99, Latency: 5 * time.Millisecond, Schedule: func(rate float64) loadgen.Schedule {
			late = .01 * math.Pow(rate/want, 2) * math.Exp(spread*random.NormFloat64())
			return loadgen.Poisson(rate, random.Uint64())
		}}
		server := &computed{beside: true, service: func() time.Duration {
			if random.Float64() < late {
				return 10 * time.Millisecond
			}
			return 3 * time.Millisecond
		}}
		l, err := Find(t.Context(), s, server.run)
		require.NoError(t, err)
		off := l.Rate/want - 1
		t.Logf("seed %d: %.0f calls/s, %+.2f %%, from %.0f to %.0f, %d probes, %v, %v", seed, l.Rate, off*100, l.Low, l.High, len(l.Probes), server.took, l.Warnings)
		squares += off * off
		if l.Low <= want && want <= l.High {
			covered++
		}
		assert.LessOrEqual(t, server.took, 5*time.Minute)
	}
	rms := math.Sqrt(squares / float64(n))
	t.Logf("off by %.2f %% (rms), %d of %d in the interval", rms*100, covered, n)
	assert.GreaterOrEqual(t, float64(covered)/float64(n), .92-2*math.Sqrt(.92*.08/float64(n)))
	assert.Less(t, rms, .15) // .17 in 30 searches by bisection alone
}

// TestCapacityOf searches for the capacity of servers that are not queues.
func TestCapacityOf(t *testing.T) {
	if testing.Short() {
		t.Skip("three searches by calls in fake time take a second")
	}
	// limited serves n calls at a time, 4 ms each.
	limited := func(n int, then func() error) loadgen.Call {
		room := make(chan struct{}, n)
		return func(context.Context, int) error {
			room <- struct{}{}
			time.Sleep(4 * time.Millisecond)
			<-room
			return then()
		}
	}
	fine := func() error { return nil }
	for _, c := range []struct {
		about   string
		workers int
		server  func() loadgen.Call
		from    float64
		to      float64
		warned  bool
	}{
		{"four at a time are 1000/s, and less with p99 of 20 ms", 200, func() loadgen.Call { return limited(4, fine) }, 850, 887, false},
		{"workers that are too few are named", 4, func() loadgen.Call { return service(4 * time.Millisecond) }, 850, 887, true},
		{"errors above a rate are the limit", 200, func() loadgen.Call {
			var mu sync.Mutex
			start, n := time.Now(), 0
			return func(context.Context, int) error {
				time.Sleep(time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				if time.Since(start) > time.Second { // at most 1000 calls/s
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
			t.Parallel()
			l, took, err := find(t, Config{Workers: c.workers, Quantile: .99, Latency: 20 * time.Millisecond, ErrorRate: .001}, c.server)
			require.NoError(t, err)
			t.Logf("%.0f calls/s from %.0f to %.0f in %v: %v", l.Rate, l.Low, l.High, took, l.Probes)
			assert.True(t, c.from <= l.Rate && l.Rate <= c.to, l.Rate)
			assert.True(t, l.Low <= l.Rate && l.Rate <= l.High)
			warnings := slices.DeleteFunc(l.Warnings, func(w error) bool { return errors.Is(w, loadgen.ErrHost) }) // depends on the real machine
			assert.Equal(t, c.warned, len(warnings) > 0, warnings)
		})
	}
}

// TestProbesFindTheServerIdle even if it still works on calls that have timed out.
func TestProbesFindTheServerIdle(t *testing.T) {
	if testing.Short() {
		t.Skip("two searches by calls in fake time take a second")
	}
	t.Parallel()
	for _, timeout := range []time.Duration{0, 40 * time.Millisecond} {
		var inFlight, found atomic.Int64
		l, _, err := find(t, Config{
			Workers: 100, Timeout: timeout, Quantile: .99, Latency: 10 * time.Millisecond, ErrorRate: .001,
			Schedule: func(rate float64) loadgen.Schedule { found.Add(inFlight.Load()); return loadgen.Poisson(rate, 1) },
		}, func() loadgen.Call {
			call := fifo(fixed(2 * time.Millisecond))
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
		assert.InEpsilon(t, 283, l.Rate, .05)
	}
}
