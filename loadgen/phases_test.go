//go:build !race

// Simulations without goroutines but to share the work: the race detector could find nothing.

package loadgen

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// selfExciting is a queue whose arrivals beget others, as in a Hawkes process: each
// brings a mean of begets more, after exponential times with the mean of after s.
func selfExciting(rate, begets, after, service float64) callee {
	return func(random *rand.Rand) func() (float64, float64) {
		at, free, excess := 0.0, 0.0, 0.0
		own := rate * (1 - begets)
		// Ogata's thinning: between arrivals the rate only falls.
		return func() (float64, float64) {
			for {
				bound := own + excess
				gap := random.ExpFloat64() / bound
				at += gap
				excess *= math.Exp(-gap / after)
				if random.Float64()*bound <= own+excess {
					break
				}
			}
			excess += begets / after
			free = max(free, at) + service*random.ExpFloat64()
			return at, free - at
		}
	}
}

// rateOf is a queue to which calls come at a rate that changes with time; phase is
// uniform in 0 to 1.
func rateOf(most, service float64, rate func(at, phase float64) float64) callee {
	return func(random *rand.Rand) func() (float64, float64) {
		at, free, phase := 0.0, 0.0, random.Float64()
		return func() (float64, float64) {
			for at += random.ExpFloat64() / most; random.Float64()*most > rate(at, phase); {
				at += random.ExpFloat64() / most
			}
			free = max(free, at) + service*random.ExpFloat64()
			return at, free - at
		}
	}
}

// daily is the load of a day, which takes period s: it goes from half of the mean to
// one and a half.
func daily(mean, period, service float64) callee {
	return rateOf(1.5*mean, service, func(at, phase float64) float64 {
		return mean * (1 + .5*math.Sin(2*math.Pi*(at/period+phase)))
	})
}

// bursts have a high load for 2 s of every 5 s.
func bursts(low, high, service float64) callee {
	return rateOf(high, service, func(at, phase float64) float64 {
		if math.Mod(at/5+phase, 1) < .4 {
			return high
		}
		return low
	})
}

// resting is a queue whose server rests for the first seconds of a period.
func resting(rate, pause, every, service float64) callee {
	return func(random *rand.Rand) func() (float64, float64) {
		at, free, phase := 0.0, 0.0, every*random.Float64()
		return func() (float64, float64) {
			at += random.ExpFloat64() / rate
			free = max(free, at)
			free += max(pause-math.Mod(free+phase, every), 0) + service*random.ExpFloat64()
			return at, free - at
		}
	}
}

// TestSlowPhases: of runs of 31 s of processes that change slowly, 92 of 100 intervals
// contain the true percentile, or few runs have one; less three standard errors, for
// the number of runs. Truths that no formula gives were simulated for eight times
// 3,000 s. Runs at the peak of the day, where the load hardly changes, cannot be told
// from others, nor can runs that chance to see hardly anything slow.
func TestSlowPhases(t *testing.T) {
	none := [3]float64{}
	for _, c := range []struct {
		about  string
		callee callee
		truth  [3]float64
		given  [3]float64 // the least share of runs with an interval
		most   float64    // the largest share of them, where intervals do not cover
	}{
		{"arrivals that beget others for a second", selfExciting(1000, .8, 1, .0007), none, none, .05},
		{"arrivals that beget others for a tenth of one", selfExciting(1000, .5, .1, .0005), [3]float64{.000700, .004727, .007139}, [3]float64{.8, .7, 0}, 0},
		{"the load of a day, in 300 s", daily(1000, 300, .0005), [3]float64{.000833, .006918, .011067}, none, .15},
		{"bursts of 2 s, every 5 s", bursts(500, 1200, .0007), [3]float64{.001677, .017957, .027656}, [3]float64{.8, 0, 0}, 0},
		{"slow for 2 s, about every 7 s", onOff(1000, 2, 5), slowAtTimes(2. / 7), none, .15},
		{"a server that rests for 1 s, every 20 s", resting(500, 1, 20, .001), [3]float64{.001624, .901775, .993002}, none, .1},
		{"a queue with fixed times", queueing(1000, func(*rand.Rand) float64 { return .0007 }), [3]float64{.001211, .005235, .007623}, [3]float64{.9, .7, 0}, 0},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			runs := max(*coverageRuns, fewer(12, 6))
			own := func(random *rand.Rand) func() (float64, float64) {
				return c.callee(rand.New(rand.NewPCG(random.Uint64(), 31)))
			}
			for i, v := range cover(runs, 31, own, c.truth) {
				t.Logf("p%-5v given %d of %d, covers %d", 100*quantilesOf[i], v.given, runs, v.covers)
				n := float64(v.given)
				assert.GreaterOrEqual(t, n, (c.given[i]-chance(c.given[i], float64(runs)))*float64(runs))
				assert.True(t, n <= (c.most+chance(c.most, float64(runs)))*float64(runs) || v.share() >= .92-chance(.92, n), "p%v", 100*quantilesOf[i])
			}
		})
	}
}

// run40 is a run of 40 batches of 1,000 calls, of which a share is slow.
func run40(slow func(batch int) int64, tail int64) (b batches, all *Histogram) {
	all = new(Histogram)
	for i := range 40 {
		var h Histogram
		n := slow(i)
		h.Record(time.Millisecond, 1000-n-tail)
		h.Record(3*time.Millisecond, n)
		for j := range tail {
			h.Record(time.Duration(10+(j+int64(i*7))%13)*time.Millisecond, 1)
		}
		b.addAll(&h)
		all.Merge(&h)
	}
	return b, all
}

// TestTailsAreNotKnownBetter than the percentiles below them.
func TestTailsAreNotKnownBetter(t *testing.T) {
	for _, c := range []struct {
		about string
		slow  func(batch int) int64 // calls of 3 ms in a batch of 1,000, the others take 1 ms
		known []float64
	}{
		{"the median is alike all the time", func(batch int) int64 { return 460 + int64(batch*7%40) }, []float64{.5, .9, .99}},
		{"the median rises in the middle of the run", func(batch int) int64 { return 200 + 500*int64(batch/20) }, nil},
		{"one call in ten is slower, all of them in two stretches", func(batch int) int64 {
			if batch%20 < 3 {
				return 500
			}
			return 1 + int64(batch%3)
		}, nil},
	} {
		b, all := run40(c.slow, 40)
		_, err := b.interval(all, .99)
		assert.NoError(t, err, "by itself p99 is known: %s", c.about)
		var known []float64
		for _, q := range reported()[:3] {
			if _, ok := b.confidence(all, q); ok {
				known = append(known, q)
			}
		}
		assert.Equal(t, c.known, known, c.about)
	}
}

// TestFewPhases: latency that is slow in one or two stretches has no interval and no
// warning. With three there is a warning if one outweighs the others.
func TestFewPhases(t *testing.T) {
	for _, c := range []struct {
		about  string
		slow   map[int]int64 // calls that are slow in a batch, of 1,000; otherwise 481 to 519
		given  bool
		warned bool
	}{
		{"one pause", map[int]int64{11: 1000}, false, false},
		{"two pauses", map[int]int64{7: 1000, 30: 1000}, false, false},
		{"two pauses that reach into the next batch", map[int]int64{7: 1000, 8: 1000, 30: 1000, 31: 1000}, false, false},
		{"two pauses of three batches", map[int]int64{7: 1000, 8: 1000, 9: 1000, 27: 1000, 28: 1000, 29: 1000}, false, false},
		{"a rise at the end", map[int]int64{34: 1000, 35: 1000, 36: 1000, 37: 1000, 38: 1000, 39: 1000}, false, false},
		{"three pauses, one of which outweighs the others", map[int]int64{7: 1000, 18: 650, 30: 650}, false, true},
		{"six pauses", map[int]int64{3: 1000, 9: 1000, 16: 1000, 22: 1000, 28: 1000, 35: 1000}, true, false},
	} {
		b, all := run40(func(batch int) int64 {
			if n, ok := c.slow[batch]; ok {
				return n
			}
			return 481 + int64(batch*17%39)
		}, 0)
		_, given := b.confidence(all, .5)
		assert.Equal(t, c.given, given, c.about)
		assert.Equal(t, c.warned, len(b.doubts(all, .5)) > 0, c.about)
	}
}

// TestTrends: neither latency nor load that rose all the time has an interval.
func TestTrends(t *testing.T) {
	noise := func(batch int) int64 { return int64(batch*17%39)*8/5 - 30 }
	for _, c := range []struct {
		about string
		calls func(batch int) int64
		slow  func(batch int) int64 // of 1,000
		given bool
	}{
		{"neither rises", func(int) int64 { return 1000 }, func(batch int) int64 { return 480 + noise(batch) }, true},
		{"slow calls rise from 46 to 50 %, which noise hides from batch to batch", func(int) int64 { return 1000 }, func(batch int) int64 { return 457 + noise(batch) + int64(batch)*46/39 }, false},
		{"the load rises by a tenth", func(batch int) int64 { return 1000 + int64(batch)*100/39 }, func(batch int) int64 { return 480 + noise(batch) }, false},
		{"the load is high in every other batch", func(batch int) int64 { return 1000 + int64(batch%2)*500 }, func(batch int) int64 { return 480 + noise(batch) }, true},
	} {
		var b batches
		var all Histogram
		for i := range 40 {
			var h Histogram
			slow := c.calls(i) * c.slow(i) / 1000
			h.Record(3*time.Millisecond, slow)
			for n := range c.calls(i) - slow {
				h.Record(time.Millisecond+time.Duration(n), 1)
			}
			b.addAll(&h)
			all.Merge(&h)
		}
		_, given := b.confidence(&all, .5)
		assert.Equal(t, c.given, given, c.about)
		assert.Empty(t, b.doubts(&all, .5), c.about)
	}
}
