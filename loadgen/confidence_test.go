package loadgen

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// queue is a server with a FIFO queue and Poisson arrivals. It computes the next call's
// response and end by Lindley's recursion.
type queue struct {
	lambda, mu float64 // calls/s that arrive, and that it can serve
	fixed      bool    // M/D/1, in which all calls take 1/mu; otherwise M/M/1
	random     *rand.Rand
	at, free   float64 // s
}

func (s *queue) next() (response, done float64) {
	s.at += s.random.ExpFloat64() / s.lambda
	work := 1 / s.mu
	if !s.fixed {
		work *= s.random.ExpFloat64()
	}
	s.free = max(s.free, s.at) + work
	return s.free - s.at, s.free
}

// addAll adds a stretch whose calls are in any blocks.
func (b *batches) addAll(h *Histogram) {
	var inUse bucket.Blocks
	for i, n := range h.counts {
		if n != 0 {
			inUse.Add(i)
		}
	}
	b.add(h, &inUse)
}

// run returns the batches of a run of this length, after two seconds of warm-up.
func (s *queue) run(seconds int) (b batches, all Histogram) {
	var interval Histogram
	for end := -1.0; end < float64(seconds); {
		response, done := s.next()
		for ; done-2 >= end+1; end++ {
			if end >= 0 {
				b.addAll(&interval)
				all.Merge(&interval)
			}
			clear(interval.counts)
			interval.total = 0
		}
		interval.Record(time.Duration(response*1e9), 1)
	}
	return
}

// TestTooLittleToSay wants no interval where it would be too narrow.
func TestTooLittleToSay(t *testing.T) {
	for _, c := range []struct {
		about   string
		rho     float64
		seconds int
		known   []float64
	}{
		{"calls that hardly wait are known soon", .5, 31, []float64{.5, .99, .999}},
		{"less than 16 batches are too few", .5, 15, nil},
		{"calls that are late together count as one", .9, 31, []float64{.5}},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := &queue{lambda: 5000, mu: 5000 / c.rho, random: rand.New(rand.NewPCG(1, 1))}
			b, all := s.run(c.seconds)
			var known []float64
			for _, q := range []float64{.5, .99, .999} {
				if _, ok := b.confidence(&all, q); ok {
					known = append(known, q)
				}
			}
			assert.Equal(t, c.known, known)
		})
	}
}

func TestUntilEndsTheRun(t *testing.T) {
	for _, c := range []struct {
		about    string
		schedule Schedule
		within   float64
		elapsed  time.Duration
		warned   bool
	}{
		{"an open loop ends as soon as there are 16 batches", Constant(1000), .2, 2 * time.Second, false},
		{"so does a closed loop", ClosedLoop, .2, 2 * time.Second, false},
		{"not known, so Duration ends it", Constant(1000), 1e-9, 40 * time.Second, true},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 1))
			res, err := fake(t, Config{
				Workers: 1, Schedule: c.schedule, Duration: 40 * time.Second, Until: Precision{.9, c.within},
			}, func(context.Context, int) error {
				time.Sleep(time.Duration(random.ExpFloat64() * 1e5))
				return nil
			})
			require.NoError(t, err)
			assert.InDelta(t, c.elapsed, res.Elapsed, 1e8, "gathering takes a quarter of a step")
			assert.Zero(t, res.Dropped)
			assert.Equal(t, c.warned, len(res.Warnings) > 0, res.Warnings)
			last := res.Confidence[len(res.Confidence)-1]
			assert.Equal(t, .9, last.Quantile)
			truth := res.Response.Quantile(.9)
			assert.True(t, last.Low < truth && truth < last.High)
		})
	}
}

// TestEnoughSendsWhatIsDue checks that calls waiting at the end of the run are still
// sent: they are the slowest.
func TestEnoughSendsWhatIsDue(t *testing.T) {
	res, err := fake(t, Config{
		Workers: 1, Schedule: Constant(100), Duration: time.Hour,
		OnProgress: func(Progress) error { return ErrEnough },
	}, service(20*time.Millisecond))
	require.NoError(t, err)
	assert.Zero(t, res.Dropped)
	assert.InDelta(t, 103, res.Sent, 6, "100 a second are due and 50 are sent")
	assert.InDelta(t, 1030*time.Millisecond, res.Response.Max(), 1e8)
}

// TestEnoughIsHeardByABusyWorker, which takes the token again before any worker that
// waits for it.
func TestEnoughIsHeardByABusyWorker(t *testing.T) {
	res, err := fake(t, Config{
		Workers: 1, Schedule: Constant(10), Duration: time.Hour, Interval: 10 * time.Millisecond,
		OnProgress: func(Progress) error { return ErrEnough },
	}, service(time.Millisecond))
	require.NoError(t, err)
	assert.EqualValues(t, 1, res.Sent)
	assert.LessOrEqual(t, res.Elapsed, 200*time.Millisecond)
}

// TestEnoughDrains waits for a call that never returns no longer than Drain.
func TestEnoughDrains(t *testing.T) {
	res, err := fake(t, Config{
		Workers: 1, Schedule: Constant(10), Duration: time.Hour, Drain: time.Second,
		OnProgress: func(Progress) error { return ErrEnough },
	}, func(ctx context.Context, _ int) error { <-ctx.Done(); return ctx.Err() })
	require.NoError(t, err)
	assert.Less(t, res.Elapsed, 10*time.Second)
	assert.Equal(t, res.Sent, res.Failed)
}

// TestLatenciesThatAreAllAlike are known as soon as there are enough.
func TestLatenciesThatAreAllAlike(t *testing.T) {
	res, err := fake(t, Config{Workers: 1, Schedule: Constant(100), Duration: 20 * time.Second}, service(time.Millisecond))
	require.NoError(t, err)
	require.Len(t, res.Confidence, 2, "2,000 calls are too few for p99.9")
	for _, c := range res.Confidence {
		assert.InDelta(t, float64(c.High-c.Low)/1e6, .0005, .0005, "a bucket wide")
		assert.Less(t, c.Low, c.High)
		assert.InEpsilon(t, time.Millisecond, c.High, .001)
	}
}

// TestCallsAfterTheLastBatchHaveNoInterval.
func TestCallsAfterTheLastBatchHaveNoInterval(t *testing.T) {
	var b batches
	var all Histogram
	for range 20 {
		b.addAll(new(Histogram))
	}
	all.Record(time.Second, 2000)
	_, known := b.confidence(&all, .5)
	assert.False(t, known)
}

// TestBatchesOfARun: a run is cut into steps of 100 ms, the last of which counts from its
// half on. There is an interval from 16 on.
func TestBatchesOfARun(t *testing.T) {
	for milliseconds, known := range map[int]bool{1540: false, 1560: true, 1640: true} {
		var calls atomic.Int64
		res, err := fake(t, Config{Workers: 10, Schedule: Constant(1000), Duration: time.Duration(milliseconds) * time.Millisecond}, func(context.Context, int) error {
			time.Sleep(time.Duration(1+calls.Add(1)*7%10) * 100 * time.Microsecond)
			return nil
		})
		require.NoError(t, err)
		assert.Equal(t, known, len(res.Confidence) > 0, "%d ms", milliseconds)
	}
}
