package batch

import (
	"math"
	"slices"
)

// Variation says how the number of calls beyond a latency varies.
type Variation struct {
	Variance float64 // of the sum of all batches, from the lowest frequencies
	Overall  float64 // the same from all frequencies: with less error, but with some bias
	Skew     float64 // of the distribution of that sum
	// Clumps is the number of batches that make up the variance, (Σd²)²/Σd⁴: about
	// a third of all where each batch has many events, and 1 where a single pause
	// made all slow calls.
	Clumps float64
	Trend  bool // see trends
	Phases int  // stretches of the run in which more calls than usual were beyond the latency
}

func (t Tail) Variation(s Spectrum) Variation {
	power := t.power()
	trend := trends(power, t.Binomial()*leastChance)
	for j := range power {
		power[j] /= s[j]
	}
	var squares, cubes, fourths float64
	excess := t.excess()
	for _, d := range excess {
		squares, cubes, fourths = squares+d*d, cubes+d*d*d, fourths+d*d*d*d
	}
	least := leastChance * t.Binomial()
	slow := slowPhases(excess)
	if squares < least { // less than chance makes: no batch outweighs another
		excess = slices.Repeat([]float64{1}, len(excess))
		slow = excess
	}
	return Variation{
		Variance: max(mean(power[:s.Low()])+t.Within, least),
		Overall:  max(mean(power)+t.Within, least),
		Skew:     cubes / math.Pow(max(squares, least), 1.5),
		Clumps:   min(clumps(excess), clumps(slow)),
		Phases:   phases(slow),
		Trend:    trend,
	}
}

// trends reports whether the power at 1/2 and 1 period per run is more than that at
// the other frequencies, and than the variance by chance, by more than chance makes
// it in 1 of 250 runs: a slow phase has then begun or ended outside of the run.
func trends(power []float64, chance float64) bool {
	return mean(power[:2]) > 6.5*max(mean(power[2:]), chance)
}

// LoadTrends reports the same of the number of calls. A load that has risen all the
// time says little of the percentiles of the whole day, whatever their spread.
func (t Tail) LoadTrends() bool {
	calls := Tail{Shares: Shares{With: t.All, All: make([]float64, len(t.All))}, Last: t.Last}
	for i := range calls.All {
		calls.All[i] = 1
	}
	calls.All[len(calls.All)-1] = t.Last
	return trends(calls.power(), Sum(t.All))
}

// clumps is the number of values that make up the sum of all squares.
func clumps(list []float64) float64 {
	var squares, fourths float64
	for _, d := range list {
		squares, fourths = squares+d*d, fourths+d*d*d*d
	}
	return squares * squares / fourths
}

// phases is the number of slow phases, without those that are hardly slow beside the
// slowest.
func phases(slow []float64) (n int) {
	for _, d := range slow {
		if d > slices.Max(slow)/10 {
			n++
		}
	}
	return n
}

// related is the correlation of neighbours, in standard errors, from which batches
// are taken to belong together.
const related = 2.5

// slowPhases joins neighbours on the same side of the mean, so that a slow phase
// that spans batches counts once, and returns the excess of each slow one. Batches
// without a correlation are left as they are: neighbours are then alike by chance.
func slowPhases(excess []float64) (list []float64) {
	if !correlated(excess) {
		return excess
	}
	before := 0.0
	for _, d := range excess {
		switch {
		case d > 0 && before > 0:
			list[len(list)-1] += d
		case d > 0:
			list = append(list, d)
		}
		before = d
	}
	return list
}

// correlated reports whether neighbours are.
func correlated(excess []float64) bool {
	squares, products, before := 0.0, 0.0, 0.0
	for _, d := range excess {
		squares, products, before = squares+d*d, products+d*before, d
	}
	return products*math.Sqrt(float64(len(excess))) > related*squares
}
