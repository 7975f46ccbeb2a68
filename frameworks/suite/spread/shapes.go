package spread

import "math"

// shape is a distribution with a density.
type shape struct {
	mean     float64
	quantile func(u float64) float64 // for 0 < u < 1
}

func exponential(mean float64) shape {
	return shape{mean, func(u float64) float64 { return -mean * math.Log1p(-u) }}
}

func lognormal(median, factor float64) shape {
	sigma := math.Log(factor)
	return shape{
		median * math.Exp(sigma*sigma/2),
		func(u float64) float64 { return median * math.Exp(sigma*math.Sqrt2*math.Erfinv(2*u-1)) },
	}
}

func pareto(least, exponent float64) shape {
	return shape{
		least * exponent / (exponent - 1),
		func(u float64) float64 { return least * math.Pow(1-u, -1/exponent) },
	}
}

// table has a value for each of equal parts of the probability: the quantile in the middle of
// the part. The last one takes what the mean lacks, since a long tail has a large share of the
// mean in its last part, far from the middle.
func (s shape) table() []int64 {
	values, sum := make([]int64, Entries), 0.0
	for i := range values {
		values[i] = int64(math.Round(s.quantile((float64(i) + 0.5) / Entries)))
		sum += float64(values[i])
	}
	values[Entries-1] += max(int64(math.Round(s.mean*Entries-sum)), 0)
	return values
}
