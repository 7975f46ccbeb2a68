package loadgen

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The share of slow calls goes up and down at one frequency, and the power is there alone.
func TestPowerIsOfOneFrequency(t *testing.T) {
	const n, high = 40, 10.0
	for _, c := range []struct {
		about string
		half  int     // periods per run
		last  float64 // length of the last batch
	}{
		{"it falls over the run", 1, 1},
		{"three half periods", 3, 1},
		{"the last batch is short", 4, .25},
	} {
		tail := tail{last: c.last}
		length := n - 1 + c.last
		for i := range n {
			size := 1.0
			if i == n-1 {
				size = c.last
			}
			middle := float64(i) + size/2
			tail.with = append(tail.with, size*(100+high*math.Cos(math.Pi*float64(c.half)*middle/length)))
			tail.all = append(tail.all, 1000*size)
		}
		for j, p := range tail.power() {
			want := 0.0
			if j+1 == c.half {
				want = 2 * math.Pow(high*length/2, 2)
			}
			assert.InDelta(t, want, p, 100, "%s: frequency %d", c.about, j+1)
		}
	}
}

func TestTrendsOfPower(t *testing.T) {
	for _, c := range []struct {
		about  string
		power  []float64
		chance float64
		want   bool
	}{
		{"the lowest two have a little less than 6.5 times the others' power", []float64{10, 2.9, 1, 1, 1}, 0, false},
		{"and a little more", []float64{10, 3.1, 1, 1, 1}, 0, true},
		{"both count", []float64{3.1, 10, 1, 1, 1}, 0, true},
		{"more than chance makes", []float64{10, 3.1, .1, .1, .1}, 1, true},
		{"chance makes as much", []float64{10, 3.1, .1, .1, .1}, 1.1, false},
	} {
		assert.Equal(t, c.want, trends(c.power, c.chance), c.about)
	}
}

// Neighbours of 25 batches are alike if at most 5 of 24 are on the other side of the mean.
func TestCorrelatedNeighbours(t *testing.T) {
	for changes, want := range map[int]bool{0: true, 5: true, 6: false, 12: false, 24: false} {
		excess, side := []float64{1}, 1.0
		for i := range 24 {
			if i < changes {
				side = -side
			}
			excess = append(excess, side)
		}
		assert.Equal(t, want, correlated(excess), "%d changes", changes)
	}
}

// A distribution with a long tail to the right moves the interval to the right. The values
// are those of the formula, by hand.
func TestSkewMovesTheInterval(t *testing.T) {
	for _, c := range []struct{ skew, t, want float64 }{
		{0, 2, 6}, {.6, 2, 4.330}, {.6, -2, -24.574}, {-.6, 2, 24.574}, {.003, 2, 6},
	} {
		assert.InDelta(t, c.want, skewed{3, c.skew}.times(c.t), .001, c)
	}
}

// The intervals of a few fixed runs are written down: what changes the statistics changes
// them. Whether they are right is tested by the coverage of many runs.
func TestIntervalsOfFixedRuns(t *testing.T) {
	for _, c := range []struct {
		rho     float64
		fixed   bool
		seconds int
		want    []float64 // low and high of p50, p90 and p99, in µs
	}{
		{.5, false, 31, []float64{683, 723, 2213, 2412, 4214, 4956}},
		{.8, false, 64, []float64{2619, 2981, 8691, 10330}},
		{.9, true, 64, []float64{3264, 3747, 7872, 29884}},
	} {
		s := &queue{lambda: 1000, mu: 1000 / c.rho, fixed: c.fixed, random: rand.New(rand.NewPCG(1, 1))}
		b, all := s.run(c.seconds)
		var got []float64
		for _, q := range []float64{.5, .9, .99} {
			if known, ok := b.confidence(&all, q); ok {
				got = append(got, float64(known.Low.Microseconds()), float64(known.High.Microseconds()))
			}
		}
		assert.InEpsilonSlice(t, c.want, got, .003, c)
	}
}

// Where a share varies less than chance makes it, half of that is assumed.
func TestVarianceIsHalfOfChanceAtLeast(t *testing.T) {
	even := tail{last: 1}
	for range 16 {
		even.add(100, 1000)
	}
	f := even.fluctuation(even.spectrum())
	assert.InDelta(t, 16e3*.1*.9/2, f.variance, 1e-9)
	assert.InDelta(t, 16e3*.1*.9/2, f.overall, 1e-9)
}

// Of a coarse bucket that a latency divides, each batch has the whole run's share beyond
// it, and the variance by chance is that of independent calls.
func TestBeyondALatencyWithinABucket(t *testing.T) {
	var b batches
	var all Histogram
	for range 4 {
		var h Histogram
		h.Record(1000, 30) // in ns: 992 to 1023 are a coarse bucket
		h.Record(1010, 10)
		h.Record(2000, 5)
		b.add(&h)
		all.Merge(&h)
	}
	beyond := b.beyond(&all, 1000)
	assert.Equal(t, []float64{15, 15, 15, 15}, beyond.with)
	assert.InDelta(t, 160*.25*.75, beyond.within, 1e-9)
}
