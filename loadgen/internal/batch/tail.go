package batch

import "math"

// Tail is the number of calls beyond a latency in each batch.
type Tail struct {
	Shares
	Within float64 // variance by chance within coarse buckets
	Last   float64 // length of the last batch, as a share of the others'
}

// Binomial is the variance of the number of calls beyond the latency if calls
// were independent.
func (t Tail) Binomial() float64 {
	p := t.Share()
	return Sum(t.All) * p * (1 - p)
}

// excess is, for each batch, the number of calls beyond the latency less the number
// that the share of the whole run would give.
func (t Tail) excess() []float64 {
	p, list := t.Share(), make([]float64, len(t.All))
	for i := range list {
		list[i] = t.With[i] - p*t.All[i]
	}
	return list
}

// power is the square of the excess's coefficient at 1/2, 1, 3/2, … periods per run,
// scaled to be an estimate of the variance of the sum. The last batch may be shorter
// than the others, so its middle is computed apart.
func (t Tail) power() []float64 {
	excess := t.excess()
	n := len(excess)
	length, list := float64(n-1)+t.Last, make([]float64, n-1)
	for j := range list {
		step := math.Pi * float64(j+1) / length
		sum := excess[n-1] * math.Cos(step*(float64(n-1)+t.Last/2))
		// cos(x+step) = 2 cos(step) cos(x) − cos(x−step)
		before, now, twice := math.Cos(step/2), math.Cos(step/2), 2*math.Cos(step)
		for _, e := range excess[:n-1] {
			sum += e * now
			before, now = now, twice*now-before
		}
		list[j] = 2 * sum * sum
	}
	return list
}

// leastChance is the share of the binomial variance that is assumed in any case.
// Regular arrivals may make a share vary less than chance within a run, and runs
// still differ, since they do not all begin alike.
const leastChance = .5
