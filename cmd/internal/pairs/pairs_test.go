package pairs

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func repeat(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

func TestCompare(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		about       string
		base, other []float64
		scale       Scale
		want        Change
		finds       float64
	}{
		{"equal programs do not differ", repeat(20, 5), repeat(20, 5), Relative, Change{Pairs: 20}, 0},
		{"a tenth more is 0.1", repeat(20, 10), repeat(20, 11), Relative, Change{20, 0.1, 0.1, 0.1}, 0},
		{"a tenth less is -0.1", repeat(20, 10), repeat(20, 9), Relative, Change{20, -0.1, -0.1, -0.1}, 0},
		{"absolute differences may start at 0", repeat(20, 0), repeat(20, 1), Absolute, Change{20, 1, 1, 1}, 0},
		{"one spoiled turn of 20 does not move it", repeat(20, 10), append(repeat(19, 11), 900), Relative, Change{20, 0.1, 0.1, 0.1}, 0},
		{"11 pairs reach from the smallest to the largest difference", repeat(11, 10), []float64{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, Absolute, Change{11, 5, 0, 10}, 5 + 5*0.84162/3.29053},
		{"10 pairs tell nothing", repeat(10, 10), repeat(10, 20), Relative, Change{10, 1, -inf, inf}, inf},
		{"no pairs tell nothing", nil, nil, Relative, Change{0, 0, -inf, inf}, inf},
	} {
		got := Compare(c.base, c.other, c.scale)
		for _, v := range [][2]float64{{got.Value, c.want.Value}, {got.Low, c.want.Low}, {got.High, c.want.High}, {got.Finds(0, c.scale), c.finds}} {
			if v[0] != v[1] {
				assert.InDelta(t, v[1], v[0], 1e-9, "%s: %+v", c.about, got)
			}
		}
		assert.Equal(t, c.want.Pairs, got.Pairs, c.about)
	}
}

// The critical values are those of published tables of the signed-rank test, at
// 0.0005 on each side: the largest sum that rejects is k−1.
func TestCut(t *testing.T) {
	for n, k := range map[int]int{0: 0, 10: 0, 11: 1, 12: 2, 15: 7, 20: 22, 25: 46} {
		assert.Equal(t, k, cut(n, Confidence), "%d pairs", n)
	}
	for n, k := range map[int]int{5: 0, 6: 1, 8: 4, 10: 9, 12: 14, 20: 53} {
		assert.Equal(t, k, cut(n, Usual), "%d pairs, 0.025 on each side", n)
	}
	assert.InDelta(t, cutNormal(mostExact, Confidence), cut(mostExact, Confidence), 15, "the normal distribution is near the exact one")
}

func TestHalf(t *testing.T) {
	for _, c := range []struct {
		about  string
		values []float64
		want   float64
	}{
		{"equal values are known exactly", repeat(6, 7), 0},
		{"six reach from the smallest to the largest", []float64{9, 10, 10, 10, 10, 11}, 0.1},
		{"it is a part of them, in whatever unit", []float64{900, 1000, 1000, 1000, 1000, 1100}, 0.1},
		{"one spoiled round of twelve does not widen it", append(repeat(11, 10), 900), 0},
		{"five have none", repeat(5, 7), math.Inf(1)},
		{"zeros are known", repeat(3, 0), 0},
		{"zeros among others are not", append(repeat(20, 7), 0), math.Inf(1)},
	} {
		if got := Half(c.values); got != c.want {
			assert.InDelta(t, c.want, got, 1e-9, c.about)
		}
	}
}

func TestFewest(t *testing.T) {
	assert.Zero(t, cut(Fewest-1, Confidence))
	assert.NotZero(t, cut(Fewest, Confidence))
}

// noises are how measurements of one program differ; each also slows down and
// speeds up with its machine, for both of a pair.
var noises = map[string]func(*rand.Rand) float64{
	"normal":                      func(r *rand.Rand) float64 { return math.Exp(0.05 * r.NormFloat64()) },
	"skewed":                      func(r *rand.Rand) float64 { return 1 + 0.2*r.ExpFloat64() },
	"one turn in ten takes twice": func(r *rand.Rand) float64 { return (1 + 0.02*r.Float64()) * (1 + math.Floor(r.Float64()+0.1)) },
	"steps, as of allocations":    func(r *rand.Rand) float64 { return 80 + math.Floor(3*r.Float64()) },
}

func measure(r *rand.Rand, n int, noise func(*rand.Rand) float64) (base, other []float64) {
	machine := 1.0
	for range n {
		machine *= 0.9 + 0.2*r.Float64()
		base, other = append(base, machine*noise(r)), append(other, machine*noise(r))
	}
	return base, other
}

// Programs without a difference seem to have one in 1 of 1,000 comparisons at
// most, whatever the noise.
func TestFalseAlarms(t *testing.T) {
	const runs = 10_000
	for name, noise := range noises {
		for _, n := range []int{Fewest, 30} {
			r, alarms := rand.New(rand.NewPCG(1, uint64(n))), 0
			for range runs {
				if base, other := measure(r, n, noise); Compare(base, other, Relative).Shown() {
					alarms++
				}
			}
			// 10 are expected; more than 21 have a probability of 0.001.
			assert.LessOrEqual(t, alarms, 21, "%s noise, %d pairs: false alarms in %d comparisons", name, n, runs)
		}
	}
}

// A change of the size that Finds names is found in about 4 of 5 comparisons.
func TestFinds(t *testing.T) {
	const runs = 500
	r, found := rand.New(rand.NewPCG(2, 2)), 0
	for range runs {
		base, other := measure(r, 50, noises["normal"])
		size := Compare(base, other, Relative).Finds(0, Relative)
		base, other = measure(r, 50, noises["normal"])
		for i := range other {
			other[i] *= 1 + size
		}
		if Compare(base, other, Relative).Low > 0 {
			found++
		}
	}
	assert.InDelta(t, 0.8, float64(found)/runs, 0.08)
}

func TestMedian(t *testing.T) {
	assert.Equal(t, 2.5, Median([]float64{4, 1, 2, 3}), "of two in the middle the mean")
	assert.Equal(t, 3., Median([]float64{4, 1, 3}))
}
