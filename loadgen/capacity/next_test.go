package capacity

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The rate is doubled or halved until one holds and another fails, then bisected to 1 %.
func TestTheNextRate(t *testing.T) {
	for _, c := range []struct {
		about        string
		holds, fails float64
		want         float64 // 0: bisection has ended
	}{
		{"none has failed", 100, math.Inf(1), 200},
		{"none has held", 0, 100, 50},
		{"between both", 100, 140, 120},
		{"a little more than 1 % apart", 1000, 1011, 1005.5},
		{"1 % apart", 1000, 1010, 0},
	} {
		f := &finder{holds: c.holds, fails: c.fails}
		assert.Equal(t, c.want == 0, f.bisected(), c.about)
		if c.want > 0 {
			assert.Equal(t, c.want, f.next(), c.about)
		}
	}
}

// A vague line widens the interval to the bisection's rate, and no rate is negative.
func TestVagueLines(t *testing.T) {
	for _, c := range []struct {
		about     string
		line      fit
		low, high float64
	}{
		{"it reaches below 0", fit{rate: 1000, reach: 1500}, 0, 2500},
		{"it is far below the bisection", fit{rate: 200, reach: 150}, 50, 1005},
		{"it is far above", fit{rate: 5000, reach: 3000}, 1005, 8000},
	} {
		f := &finder{Result: Result{Rate: 1005}, holds: 1000, fails: 1010}
		f.answer(c.line)
		assert.Equal(t, []float64{1005, c.low, c.high}, []float64{f.Rate, f.Low, f.High}, c.about)
	}
}
