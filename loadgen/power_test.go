package loadgen

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

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
		b.addAll(&h)
		all.Merge(&h)
	}
	beyond := b.beyond(&all, 1000)
	assert.Equal(t, []float64{15, 15, 15, 15}, beyond.With)
	assert.InDelta(t, 160*.25*.75, beyond.Within, 1e-9)
}
