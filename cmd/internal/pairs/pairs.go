// Package pairs compares two programs by measurements taken side by side.
//
// Each turn of a comparison measures both programs within seconds of each
// other. The two measurements are a pair: a machine that is slow for a while is
// slow for both of them. Of each pair the difference d is taken, ln(other/base),
// or other − base where a measurement is 0. Everything else is computed from the
// n(n+1)/2 means of two differences, (d[i]+d[j])/2 with i ≤ j, sorted:
//
//   - The change is the median of these means (Hodges and Lehmann).
//   - The interval runs from the k-th smallest to the k-th largest of them. k is
//     the largest number for which Wilcoxon's signed-rank sum is below k with a
//     probability of (1 − Confidence)/2 at most. So the interval lies on one
//     side of 0 exactly when Wilcoxon's test rejects "no change" at that level:
//     there is no second test to disagree with it.
//   - The change that 4 of 5 such comparisons would find is half the interval, or
//     the smallest change that is called one if that is more, and added to it half
//     the interval times z(0.8) / z(0.9995), which is 0.256; z are quantiles of the
//     normal distribution. For a change is found if its estimate is at least the
//     former. Half the interval is z(0.9995) standard errors of an estimate, and of
//     estimates 4 in 5 are above the true change less z(0.8) standard errors.
//
// The sum's distribution is exact up to 100 pairs, and normal above. The method
// assumes that pairs are independent, and that equal programs are as likely to
// differ by d as by −d. (Of 48 rows measured on a busy machine, 40 pairs each, the
// correlation of neighbouring differences was 0.00 on average.) It assumes no
// distribution: one turn that a pause of the machine spoils moves the interval
// hardly at all. See M. Hollander, D. A. Wolfe and E. Chicken, Nonparametric
// Statistical Methods, sections 3.1 to 3.3.
package pairs

import (
	"math"
	"slices"
)

const (
	// Confidence is the level of every interval. It is high since a comparison has
	// dozens of rows: of 50 rows without a change, one or more has an interval
	// beside 0 in at most 1 comparison of 20.
	Confidence = 0.999
	// Fewest is the smallest number of pairs that can have an interval: that 11
	// pairs of equal programs all point the same way has a probability of 0.00098.
	Fewest = 11
	// Quantiles of the normal distribution.
	zConfidence = 3.29053 // of (1 + Confidence) / 2
	zPower      = 0.84162 // of 0.8
	// Usual is the level of an interval that says how large something is, and decides
	// nothing. It takes 6 pairs.
	Usual = 0.95
	// mostExact is the largest number of pairs whose sums are counted.
	mostExact = 100
)

// Scale is how a difference is taken.
type Scale int

const (
	// Relative differences are fractions of base: 0.1 is 10 % more. All
	// measurements must be above 0.
	Relative Scale = iota
	// Absolute differences are in the unit of the measurements.
	Absolute
)

// Change is by how much one program differs from another, in its Scale.
type Change struct {
	Pairs int
	Value float64 // 0 without pairs
	// Low and High are the interval; infinite with too few pairs for its confidence.
	Low, High float64
}

// Finds returns the change in s, up or down, that 4 of 5 such comparisons would
// find when only least or more is called a change; infinite with fewer pairs
// than Fewest. It is least when all pairs differ by the same. It is of a Change of
// Compare, whose confidence it assumes.
func (c Change) Finds(least float64, s Scale) float64 {
	switch {
	case c.Pairs < Fewest:
		return math.Inf(1)
	case s == Absolute:
		return finds(least, c.Low, c.High)
	}
	return math.Expm1(finds(math.Log1p(least), math.Log1p(c.Low), math.Log1p(c.High)))
}

func finds(least, low, high float64) float64 {
	half := (high - low) / 2
	return max(half, least) + half*zPower/zConfidence
}

// Shown reports whether the interval excludes "no change".
func (c Change) Shown() bool { return c.Low > 0 || c.High < 0 }

// Within reports whether the interval lies between −bound and bound.
func (c Change) Within(bound float64) bool { return -bound <= c.Low && c.High <= bound }

// Compare returns by how much other differs from base; equal places are pairs.
func Compare(base, other []float64, s Scale) Change { return CompareAt(Confidence, base, other, s) }

// CompareAt has an interval of another confidence, between 0 and 1. The interval is
// infinite if there are too few pairs for it.
func CompareAt(confidence float64, base, other []float64, s Scale) Change {
	means := pairwiseMeans(differences(base, other, s))
	c := Change{Pairs: len(base), Low: math.Inf(-1), High: math.Inf(1)}
	if len(base) > 0 {
		c.Value = median(means)
	}
	if k := cut(len(base), confidence); k > 0 {
		c.Low, c.High = means[k-1], means[len(means)-k]
	}
	return c.in(s)
}

// Half is half of the interval of what values are about, at the level Usual and as a part of
// it: 0.1 is ±10 %. It is infinite for fewer values than have an interval, 6, and where some
// are 0 and others are not.
func Half(values []float64) float64 {
	switch least, most := slices.Min(values), slices.Max(values); {
	case least == 0 && most == 0:
		return 0
	case least <= 0:
		return math.Inf(1)
	}
	c := CompareAt(Usual, slices.Repeat([]float64{1}, len(values)), values, Relative)
	return (c.High - c.Low) / 2 / (1 + c.Value)
}

// in turns logarithms of ratios into fractions.
func (c Change) in(s Scale) Change {
	none := math.IsInf(c.Low, -1)
	if s == Relative {
		c.Value, c.Low, c.High = math.Expm1(c.Value), math.Expm1(c.Low), math.Expm1(c.High)
	}
	if none {
		c.Low = math.Inf(-1)
	}
	return c
}

func differences(base, other []float64, s Scale) []float64 {
	list := make([]float64, len(base))
	for i := range base {
		if list[i] = other[i] - base[i]; s == Relative {
			list[i] = math.Log(other[i] / base[i])
		}
	}
	return list
}

// pairwiseMeans returns the means of each difference with itself and with every
// other, sorted.
func pairwiseMeans(list []float64) []float64 {
	means := make([]float64, 0, len(list)*(len(list)+1)/2)
	for i, a := range list {
		for _, b := range list[i:] {
			means = append(means, (a+b)/2)
		}
	}
	slices.Sort(means)
	return means
}

// Median is the middle of values, one at least, or the mean of the middle two.
func Median(values []float64) float64 { return median(slices.Sorted(slices.Values(values))) }

// median takes a sorted list of one or more.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// cut is k of the package's documentation, at a level of confidence; 0 where there is
// none.
func cut(n int, confidence float64) int {
	if n > mostExact {
		return cutNormal(n, confidence)
	}
	total, k := 0.0, 0
	for _, p := range sumDistribution(n) {
		if total += p; total > (1-confidence)/2 {
			return k
		}
		k++
	}
	return 0
}

func cutNormal(n int, confidence float64) int {
	f := float64(n)
	mean, deviation := f*(f+1)/4, math.Sqrt(f*(f+1)*(2*f+1)/24)
	return int(mean - math.Sqrt2*math.Erfinv(confidence)*deviation)
}

// sumDistribution has the probability of each signed-rank sum of n pairs: each
// rank from 1 to n is in the sum or not, one as likely as the other.
func sumDistribution(n int) []float64 {
	p := make([]float64, n*(n+1)/2+1)
	p[0] = 1
	for rank := 1; rank <= n; rank++ {
		for sum := len(p) - 1; sum >= 0; sum-- {
			p[sum] /= 2
			if sum >= rank {
				p[sum] += p[sum-rank] / 2
			}
		}
	}
	return p
}
