//go:build !race

// Simulations without goroutines but to share the work: the race detector could find nothing.

package capacity

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/batch"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// computed is a server with one queue, computed and not run: a Runner without
// goroutines, a hundred times as fast as calls in fake time.
type computed struct {
	beside  bool // calls are served beside each other, with no queue
	service func() time.Duration
	took    time.Duration // of all runs so far
}

// run counts calls in the batch in which they end, as Run does.
func (q *computed) run(_ context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	res := new(loadgen.Result)
	if cfg.Schedule == loadgen.ClosedLoop {
		return res, q.alone(cfg, res)
	}
	arrivals, free, last := cfg.Schedule.Start(), time.Duration(0), new(loadgen.Histogram)
	for end := cfg.Interval; ; {
		due, _ := arrivals.Next()
		if q.beside {
			free = due
		}
		free = max(free, due) + q.service()
		for free-cfg.Warmup >= end {
			err := cfg.OnProgress(loadgen.Progress{Elapsed: end, Last: loadgen.Point{OK: last.Count()}, Responses: last})
			res.Response.Merge(last)
			last = new(loadgen.Histogram)
			if err != nil || end >= cfg.Duration {
				q.took += cfg.Warmup + end
				res.Elapsed, res.OK, res.Sent = end, res.Response.Count(), res.Response.Count()
				if errors.Is(err, loadgen.ErrEnough) {
					err = nil
				}
				return res, err
			}
			end += cfg.Interval
		}
		if due >= cfg.Warmup {
			last.Record(free-due, 1)
		}
	}
}

// alone is the run of a single caller.
func (q *computed) alone(cfg loadgen.Config, res *loadgen.Result) error {
	for res.Elapsed < cfg.Duration && (cfg.Calls == 0 || res.OK < cfg.Calls) {
		d := q.service()
		res.Response.Record(d, 1)
		res.Elapsed += d
		res.OK++
	}
	res.Sent = res.OK
	q.took += res.Elapsed
	return nil
}

// mu is how many calls a second the queues serve.
const mu = 10e3

func markov(random *rand.Rand) func() time.Duration {
	return func() time.Duration { return time.Duration(random.ExpFloat64() / mu * 1e9) }
}

func even(*rand.Rand) func() time.Duration {
	return func() time.Duration { return time.Duration(1e9 / mu) }
}

// queues has the queues of TestCapacityOfQueues, with their capacities.
var queues = []struct {
	name    string
	service func(*rand.Rand) func() time.Duration
	slo     time.Duration
	want    float64
}{
	{"M/M/1, 5 ms", markov, 5 * time.Millisecond, mu - math.Log(100)/.005},
	{"M/D/1, 5 ms", even, 5 * time.Millisecond, 9540.5},
	{"M/M/1, 1 ms", markov, time.Millisecond, mu - math.Log(100)/.001},
	{"M/D/1, 1 ms", even, time.Millisecond, 7734.9},
}

// TestCapacityIsNotBiased searches queues without goroutines, four times as many as
// TestCapacityOfQueues does. The median error of n searches is itself known to within
// 1.25 standard deviations over the root of n. It may be 0.15 % and twice that, and
// the intervals may hold the capacity in 92 % of the searches less two standard errors.
func TestCapacityIsNotBiased(t *testing.T) {
	if testing.Short() {
		t.Skip("32 searches take seconds")
	}
	for _, c := range queues {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := cmp.Or(4**searches, 8)
			var sum searched
			for seed := range uint64(n) {
				random := rand.New(rand.NewPCG(seed, 5))
				q := &computed{service: c.service(random)}
				s := Config{Workers: 500, Quantile: .99, Latency: c.slo, ErrorRate: .001, Schedule: func(rate float64) loadgen.Schedule { return loadgen.Poisson(rate, random.Uint64()) }}
				l, err := Find(t.Context(), s, q.run)
				require.NoError(t, err)
				sum.add(l, q.took, c.want)
			}
			sum.check(t)
			median, by := medianOf(sum.off)
			covered := sum.covered / float64(n)
			t.Logf("median error %+.2f %% ± %.2f %%", 100*median, 200*by)
			assert.LessOrEqual(t, math.Abs(median), .0015+2*by)
			assert.GreaterOrEqual(t, covered, .92-2*math.Sqrt(.92*.08/float64(n)))
		})
	}
}

// medianOf returns the median of a list and its standard error.
func medianOf(list []float64) (median, by float64) {
	squares, n := 0.0, len(list)
	mean := batch.Sum(list) / float64(n)
	for _, x := range list {
		squares += (x - mean) * (x - mean)
	}
	list = slices.Sorted(slices.Values(list))
	return (list[(n-1)/2] + list[n/2]) / 2, 1.25 * math.Sqrt(squares/float64(n-1)/float64(n))
}

// TestProbesOfFewCalls cannot hold for certain, and the search says how long they must be.
func TestProbesOfFewCalls(t *testing.T) {
	for _, c := range []struct {
		quantile float64
		say      string // "" if there is no warning
		why      string
	}{
		{.5, "", ""},
		{.9, "", ""},
		{.99, "", ""},
		{.999, "probes are too short to be certain: at 200 calls/s a probe of 15s has 3000 calls, and none holds for certain before 12000: set ProbeTime to 1m0s or more", "; 1500 calls are too few to be certain, it takes 12000"},
	} {
		q := &computed{beside: true, service: func() time.Duration { return 5 * time.Millisecond }}
		l, err := Find(t.Context(), Config{Workers: 10, Quantile: c.quantile, Latency: time.Second, MaxProbes: 2, Schedule: loadgen.Constant}, q.run)
		require.NoError(t, err)
		assert.Equal(t, c.say == "", l.Probes[0].Certain, c.quantile)
		assert.Regexp(t, "over 1s"+c.why+"$", l.Probes[0].Why)
		if c.say == "" {
			assert.Empty(t, l.Warnings, c.quantile)
			continue
		}
		require.ErrorIs(t, l.Warnings[0], ErrShort)
		assert.EqualError(t, l.Warnings[0], c.say)
	}
}
