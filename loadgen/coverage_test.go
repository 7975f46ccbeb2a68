//go:build !race

// Simulations without goroutines but to share the work: the race detector could find nothing.

package loadgen

import (
	"cmp"
	"flag"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
	"github.com/stretchr/testify/assert"
)

var coverageRuns = flag.Int("coverage", 0, "simulated runs for each row of TestCoverage; 0 is the row's own number, 100 take two minutes")

// callee makes the calls of a simulated run: next returns when a call is due, in
// seconds, and its response.
type callee func(random *rand.Rand) (next func() (due, response float64))

// independent has Poisson arrivals at a rate, and responses that are independent.
func independent(rate float64, response func(*rand.Rand) float64) callee {
	return func(random *rand.Rand) func() (float64, float64) {
		at := 0.0
		return func() (float64, float64) {
			at += random.ExpFloat64() / rate
			return at, response(random)
		}
	}
}

// queueing has one server with a FIFO queue, by Lindley's recursion.
func queueing(rate float64, service func(*rand.Rand) float64) callee {
	return func(random *rand.Rand) func() (float64, float64) {
		at, free := 0.0, 0.0
		return func() (float64, float64) {
			at += random.ExpFloat64() / rate
			free = max(free, at) + service(random)
			return at, free - at
		}
	}
}

// exponential returns exponentially distributed times with this mean, in seconds.
func exponential(mean float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return mean * r.ExpFloat64() }
}

// lognormal returns times with this median, in seconds, whose logarithm has the
// standard deviation sigma.
func lognormal(median, sigma float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return median * math.Exp(sigma*r.NormFloat64()) }
}

// pareto returns times of at least least seconds, with P(time > x) = (least/x)^alpha.
func pareto(least, alpha float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return least * math.Exp(r.ExpFloat64()/alpha) }
}

// onOff is slow for a mean of on seconds, with a mean response of 10 ms, and fast for a
// mean of off seconds, with a mean response of 1 ms. All times are exponentially
// distributed.
func onOff(rate, on, off float64) callee {
	return func(random *rand.Rand) func() (float64, float64) {
		at, slow := 0.0, random.Float64() < on/(on+off)
		length := func() float64 {
			if slow {
				return on * random.ExpFloat64()
			}
			return off * random.ExpFloat64()
		}
		until := length()
		return func() (float64, float64) {
			for at += random.ExpFloat64() / rate; at > until; until += length() {
				slow = !slow
			}
			if slow {
				return at, .01 * random.ExpFloat64()
			}
			return at, .001 * random.ExpFloat64()
		}
	}
}

// drifting has responses whose logarithm is the sum of independent noise and an AR(1)
// process, each with a standard deviation of .5. The correlation of the process falls
// by 1/e in tau seconds.
func drifting(rate, tau float64) callee {
	return func(random *rand.Rand) func() (float64, float64) {
		at, level := 0.0, random.NormFloat64()
		return func() (float64, float64) {
			gap := random.ExpFloat64() / rate
			at += gap
			keep := math.Exp(-gap / tau)
			level = keep*level + math.Sqrt(1-keep*keep)*random.NormFloat64()
			return at, .001 * math.Exp(.5*level+.5*random.NormFloat64())
		}
	}
}

// freezing stands still for the first 200 ms of every 2 s, and is independent
// otherwise.
func freezing(arrival func(*rand.Rand) float64) callee {
	return func(random *rand.Rand) func() (float64, float64) {
		at, phase := 0.0, 2*random.Float64()
		return func() (float64, float64) {
			at += arrival(random)
			wait := max(.2-math.Mod(at+phase, 2), 0)
			return at, wait + .0001*random.ExpFloat64()
		}
	}
}

// batchesOf gathers a simulated run as the collector does, after a second of
// warm-up. A step has few calls, so what it has counted is taken back call by call:
// merging and emptying all buckets was half of the time of these tests.
func batchesOf(next func() (due, response float64), seconds, step float64) (b batches, all Histogram) {
	var h Histogram
	var responses []time.Duration
	due, response := next()
	for due < 1 {
		due, response = next()
	}
	for end := 1 + step; end <= 1+seconds+step/2; end += step {
		for ; due < end; due, response = next() {
			responses = append(responses, time.Duration(response*1e9))
		}
		for _, d := range responses {
			h.Record(d, 1)
			all.Record(d, 1)
		}
		b.addAll(&h)
		for _, d := range responses {
			h.Record(d, -1)
		}
		responses = responses[:0]
	}
	return
}

// quantilesOf are the quantiles whose intervals are tested.
var quantilesOf = [...]float64{.5, .99, .999}

// coverage sums up what simulated runs have found about a percentile.
type coverage struct {
	given, covers int
	width         float64 // sum of the widths, as shares of the middle
}

// add adds what a run has found.
func (c *coverage) add(in Confidence, given bool, truth float64) {
	if !given {
		return
	}
	c.given++
	c.width += in.width()
	if t := truth * 1e9; float64(in.Low) <= t && t <= float64(in.High) {
		c.covers++
	}
}

func (c coverage) share() float64 { return float64(c.covers) / float64(max(c.given, 1)) }

// cover simulates runs and compares their intervals with the truth, in two
// goroutines.
func cover(runs int, seconds float64, c callee, truth [3]float64) (list [3]coverage) {
	var mu sync.Mutex
	var wait sync.WaitGroup
	for part := range 2 {
		wait.Go(func() {
			for seed := part; seed < runs; seed += 2 {
				b, all := batchesOf(c(rand.New(rand.NewPCG(uint64(seed), 5))), seconds, seconds/160)
				for i, q := range quantilesOf {
					in, given := b.confidence(&all, q)
					mu.Lock()
					list[i].add(in, given, truth[i])
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
	return list
}

// TestCoverage checks that 92 to 99 of 100 intervals contain the true percentile. It
// also checks that runs get an interval if they are long compared with the changes in
// the callee, and that few or none get one if they are not.
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		about   string
		callee  callee
		seconds float64
		truth   [3]float64
		given   [3]float64 // the least share of runs with an interval
		regular bool       // a period makes intervals wider than needed
		runs    int
	}{
		{"a queue in which calls hardly wait", queueing(5000, exponential(.0001)), 31, exponentials(.0002), [3]float64{.9, .9, .6}, false, 15},
		{"a queue in which calls wait together", queueing(8000, exponential(.0001)), 31, exponentials(.0005), [3]float64{.9, .8, 0}, false, 10},
		{"a queue, in a run of 10 s", queueing(5000, exponential(.0001)), 10, exponentials(.0002), [3]float64{.9, .85, 0}, false, 25},
		{"independent calls", independent(1000, exponential(.001)), 31, exponentials(.001), [3]float64{.9, .9, .9}, false, 25},
		{"independent calls, in a run of 2 s", independent(1000, exponential(.001)), 2, exponentials(.001), [3]float64{.9, .3, 0}, false, 25},
		{"independent lognormal times", independent(1000, lognormal(.001, 1)), 31, lognormals(.001, 1), [3]float64{.9, .9, .9}, false, 25},
		{"independent Pareto times without a variance", independent(1000, pareto(.001, 1.5)), 31, paretos(.001, 1.5), [3]float64{.9, .9, .9}, false, 25},
		{"slow for .2 s about every 5 s", onOff(200, .2, 5), 120, slowAtTimes(.2 / 5.2), [3]float64{.8, .3, 0}, false, 15},
		{"the same for 10 minutes", onOff(200, .2, 5), 600, slowAtTimes(.2 / 5.2), [3]float64{.8, .8, 0}, false, 15},
		{"slow for 2 s about every 30 s", onOff(200, 2, 30), 300, slowAtTimes(2. / 32), [3]float64{.5, 0, 0}, false, 15},
		{"the same for 20 minutes", onOff(200, 2, 30), 1200, slowAtTimes(2. / 32), [3]float64{.8, .2, 0}, false, 15},
		{"drifting within half a second", drifting(500, .5), 31, lognormals(.001, math.Sqrt(.5)), [3]float64{.5, 0, 0}, false, 15},
		{"the same for 2 minutes", drifting(500, .5), 120, lognormals(.001, math.Sqrt(.5)), [3]float64{.8, 0, 0}, false, 15},
		{"drifting within 5 s", drifting(100, 5), 31, lognormals(.001, math.Sqrt(.5)), [3]float64{0, 0, 0}, false, 15},
		{"the same for 10 minutes", drifting(100, 5), 600, lognormals(.001, math.Sqrt(.5)), [3]float64{.7, 0, 0}, false, 15},
		{"frozen for 200 ms every 2 s", freezing(atRandom(1000)), 31, freezes(), [3]float64{.9, .9, .3}, true, 25},
		{"the same for a minute", freezing(atRandom(1000)), 60, freezes(), [3]float64{.9, .9, .8}, true, 15},
		{"frozen, with calls at even distances", freezing(steady(1000)), 60, freezes(), [3]float64{.9, .9, .8}, true, 15},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			runs, begin := cmp.Or(*coverageRuns, fewer(c.runs, 10)), time.Now()
			for i, v := range cover(runs, c.seconds, c.callee, c.truth) {
				t.Logf("%4.0f s p%-5v given %5.1f %%, covers %5.1f %%, ±%.2g %%", c.seconds, 100*quantilesOf[i], 100*float64(v.given)/float64(runs), 100*v.share(), 100*v.width/float64(max(v.given, 1)))
				n := float64(v.given)
				assert.GreaterOrEqual(t, n, c.given[i]*float64(runs), "p%v", 100*quantilesOf[i])
				if c.given[i] > 0 {
					assert.GreaterOrEqual(t, v.share(), .92-chance(.92, n), "p%v", 100*quantilesOf[i])
					assert.True(t, c.regular || v.share() <= .99+chance(.99, n), "p%v", 100*quantilesOf[i])
				}
			}
			t.Log(time.Since(begin))
		})
	}
}

// TestSlowFluctuationIsWarnedOf if it is why there is no interval, and not if there are
// only too few calls or fewer than three slow phases.
func TestSlowFluctuationIsWarnedOf(t *testing.T) {
	if testing.Short() {
		t.Skip("80 simulated runs take a second")
	}
	for _, c := range []struct {
		about   string
		callee  callee
		seconds float64
		warned  [2]int // of 20 runs
		without [2]int // of 20 runs: no interval and no warning, since p50 saw fewer than three slow phases
	}{
		{"drifting within 5 s, in a run of 31 s", drifting(100, 5), 31, [2]int{5, 15}, [2]int{5, 15}},
		{"drifting within half a second, in a run of 2 minutes", drifting(500, .5), 120, [2]int{0, 3}, [2]int{0, 1}},
		{"a queue", queueing(5000, exponential(.0001)), 31, [2]int{0, 2}, [2]int{0, 1}},
		{"few independent calls", independent(20, exponential(.001)), 31, [2]int{0, 2}, [2]int{0, 1}},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			warned, without := 0, 0
			for seed := range uint64(20) {
				b, all := batchesOf(c.callee(rand.New(rand.NewPCG(seed, 5))), c.seconds, c.seconds/160)
				w := b.doubts(&all, quantilesOf[:]...)
				if len(w) > 0 {
					warned++
					assert.ErrorIs(t, w[0], ErrFluctuates)
					assert.ErrorContains(t, w[0], "how well p")
				}
				_, given := b.confidence(&all, .5)
				if !given && len(w) == 0 {
					without++
				}
			}
			assert.True(t, c.warned[0] <= warned && warned <= c.warned[1], warned)
			assert.True(t, c.without[0] <= without && without <= c.without[1], without)
		})
	}
}

// TestIntervalsHaveAWidth even if all pauses are alike and calls arrive at constant
// intervals.
func TestIntervalsHaveAWidth(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		b, all := batchesOf(freezing(steady(1000))(rand.New(rand.NewPCG(seed, 5))), 32, .1)
		for _, q := range quantilesOf {
			if in, given := b.confidence(&all, q); given {
				assert.Less(t, bucket.Of(in.Low), bucket.Of(in.High))
			}
		}
	}
}

// chance is three standard errors of a share of n runs.
func chance(share, n float64) float64 { return 3 * math.Sqrt(share*(1-share)/n) }

// exponentials are the percentiles of exponential times.
func exponentials(mean float64) [3]float64 {
	return [3]float64{mean * math.Ln2, mean * math.Log(100), mean * math.Log(1000)}
}

// lognormals are the percentiles of lognormal times.
func lognormals(median, sigma float64) (t [3]float64) {
	for i, q := range quantilesOf {
		t[i] = median * math.Exp(sigma*math.Sqrt2*math.Erfinv(2*q-1))
	}
	return t
}

// slowAtTimes are the percentiles of onOff; on is the share of time that it is slow.
func slowAtTimes(on float64) (t [3]float64) {
	return invert(func(x float64) float64 { return (1-on)*math.Exp(-x/.001) + on*math.Exp(-x/.01) })
}

// invert returns the percentiles of a distribution, given the share of values beyond a
// value.
func invert(beyond func(float64) float64) (t [3]float64) {
	for i, q := range quantilesOf {
		low, high := 0.0, 10.0
		for range 60 {
			if mid := (low + high) / 2; beyond(mid) > 1-q {
				low = mid
			} else {
				high = mid
			}
		}
		t[i] = high
	}
	return t
}

// freezes are the percentiles of freezing: one call in ten waits for a uniformly
// distributed time from 0 to .2 s.
func freezes() [3]float64 {
	const s = .0001
	return invert(func(x float64) float64 {
		w := 0.0 // P(wait + service > x)
		if x < .2 {
			w = (.2 - x + s*(1-math.Exp(-x/s))) / .2
		} else {
			w = s * (math.Exp(-(x-.2)/s) - math.Exp(-x/s)) / .2
		}
		return .1*w + .9*math.Exp(-x/s)
	})
}

// paretos are the percentiles of Pareto times.
func paretos(least, alpha float64) [3]float64 {
	return invert(func(x float64) float64 { return math.Pow(max(x/least, 1), -alpha) })
}

// atRandom and steady are gaps between arrivals at a rate, in seconds.
func atRandom(rate float64) func(*rand.Rand) float64 { return exponential(1 / rate) }

func steady(rate float64) func(*rand.Rand) float64 {
	return func(*rand.Rand) float64 { return 1 / rate }
}
