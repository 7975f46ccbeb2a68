package history

import (
	"math/rand/v2"
	"slices"
)

const draws = 1999

// Streams of the generator, which are seeded with the number of the draw.
const (
	ofOrder = iota + 1
	ofLayout
)

// null has the largest z of all series in each draw, sorted.
func null(family []timed) []float64 {
	largest := make([]float64, draws)
	for d := range largest {
		shifts := rand.New(rand.NewPCG(uint64(d), ofLayout))
		order := orders{}
		for _, t := range family {
			order = order.of(d, len(t.residuals), len(t.effects))
			largest[d] = max(largest[d], t.draw(order, shifts))
		}
	}
	slices.Sort(largest)
	return largest
}

// orders are the places of versions, by round.
type orders [][]int

// of returns the orders of a draw, for series with this number of rounds and of versions.
// These are o itself if it has the same numbers.
func (o orders) of(draw, rows, columns int) orders {
	if len(o) == rows && len(o[0]) == columns {
		return o
	}
	r := rand.New(rand.NewPCG(uint64(draw), ofOrder))
	o = make(orders, rows)
	for i := range o {
		o[i] = r.Perm(columns)
	}
	return o
}

// draw is the z of a draw.
func (t timed) draw(order orders, shifts *rand.Rand) float64 {
	effects, variance := t.shuffled(order)
	for j := range effects {
		effects[j] += t.layout * shifts.NormFloat64()
	}
	_, _, z := contrastsOf(effects).clearest(0, len(effects))
	return z / t.deviation(variance)
}

// shuffled are the means of versions, and the variance, if what remains of each round is
// in another order.
func (t timed) shuffled(order orders) (effects []float64, variance float64) {
	rows, columns := float64(len(t.residuals)), float64(len(t.effects))
	effects = make([]float64, len(t.effects))
	for i, row := range t.residuals {
		for j, p := range order[i] {
			effects[j] += row[p]
			variance += row[p] * row[p]
		}
	}
	for j, sum := range effects {
		effects[j] = sum / rows
		variance -= sum * sum / rows
	}
	return effects, max(variance, 0) / (rows - 1) / (columns - 1)
}
