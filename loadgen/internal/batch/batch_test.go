package batch

import (
	"math"
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
		tail := Tail{Last: c.last}
		length := n - 1 + c.last
		for i := range n {
			size := 1.0
			if i == n-1 {
				size = c.last
			}
			middle := float64(i) + size/2
			tail.With = append(tail.With, size*(100+high*math.Cos(math.Pi*float64(c.half)*middle/length)))
			tail.All = append(tail.All, 1000*size)
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
		assert.InDelta(t, c.want, Skewed{3, c.skew}.Times(c.t), .001, c)
	}
}

// Where a share varies less than chance makes it, half of that is assumed.
func TestVarianceIsHalfOfChanceAtLeast(t *testing.T) {
	even := Tail{Last: 1}
	for range 16 {
		even.Add(100, 1000)
	}
	f := even.Variation(even.Spectrum())
	assert.InDelta(t, 16e3*.1*.9/2, f.Variance, 1e-9)
	assert.InDelta(t, 16e3*.1*.9/2, f.Overall, 1e-9)
}

func TestStudentT(t *testing.T) {
	for freedom, want := range map[int]float64{15: 2.1314, 30: 2.0423, 1e9: 1.96} {
		assert.InDelta(t, want, StudentT(freedom), .001)
	}
}
