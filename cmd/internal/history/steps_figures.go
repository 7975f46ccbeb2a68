package history

import (
	"math"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

const (
	// forScatter is the number of versions from which on l is estimated. With fewer, the
	// changes that are looked for would be most of what it is estimated from.
	forScatter = 6
	// apartBy is how many times as much as usual the versions of a series must scatter to
	// have an l of its own. Estimates from 12 versions are off by a third.
	apartBy = 2
	// far is the number of standard deviations at which a process was disturbed, and is
	// set to what is just not far.
	far = 3
)

// timed is a series with a figure for each version, and what its rounds differ by.
type timed struct {
	Series
	effects   []float64   // the mean logarithm of each version, from which that of all is taken
	logs      [][]float64 // by round and version
	residuals [][]float64 // what remains of the logarithms, by round and version
	variance  float64     // s²: of a process, from round to round
	layout    float64     // l: the deviation of versions without a step
}

// deviation is the standard deviation of one version's figure: by chance and layout.
func (t timed) deviation(variance float64) float64 {
	return math.Sqrt(variance/float64(len(t.residuals)) + t.layout*t.layout)
}

// excess is an estimate of l², from the differences of neighbouring versions. Their
// median shows a step, or a few, as little as possible (the median of a normal
// distribution's magnitudes is 0.6745 deviations, and a difference of two has twice the
// variance). What rounds make of it is taken off, so it can be below 0; it is 0 where
// there are too few versions.
func (t timed) excess() float64 {
	if len(t.effects) < forScatter {
		return 0
	}
	var sizes []float64
	for i, e := range t.effects[1:] {
		sizes = append(sizes, math.Abs(e-t.effects[i]))
	}
	deviation := pairs.Median(sizes) / normalMedian
	return deviation*deviation/2 - t.variance/float64(len(t.residuals))
}

// normalMedian is the median of the magnitudes of a standard normal distribution.
const normalMedian = 0.6745

// layoutOr is l² of the series: what is usual, unless its versions scatter far more.
func (t timed) layoutOr(usual float64) float64 {
	own, chance := t.excess(), t.variance/float64(len(t.residuals))
	if own+chance > apartBy*apartBy*(usual+chance) {
		return own
	}
	return usual
}

// usualLayout is the median l² of all series: each alone has few versions to estimate it
// from.
func usualLayout(family []timed) float64 {
	var all []float64
	for _, t := range family {
		all = append(all, t.excess())
	}
	if len(all) == 0 {
		return 0
	}
	return pairs.Median(all)
}

func logarithms(rows [][]float64) [][]float64 {
	logs := make([][]float64, len(rows))
	for i, row := range rows {
		for _, v := range row {
			logs[i] = append(logs[i], math.Log(v))
		}
	}
	return logs
}

// pullIn moves logarithms that lie far from what their round and version are otherwise
// to the edge of what is not far (J. W. Tukey calls it winsorizing): one process that was
// disturbed is not a version that is slow.
func pullIn(logs [][]float64) {
	_, residuals := center(logs, pairs.Median)
	var sizes []float64
	for _, e := range slices.Concat(residuals...) {
		sizes = append(sizes, math.Abs(e))
	}
	most := far * pairs.Median(sizes) / normalMedian
	for i, row := range residuals {
		for j, e := range row {
			logs[i][j] += min(max(e, -most), most) - e
		}
	}
}

// center takes from each value the middle of its round, and then that of its version.
func center(logs [][]float64, middle func([]float64) float64) (effects []float64, residuals [][]float64) {
	for _, row := range logs {
		m, left := middle(row), make([]float64, len(row))
		for j, v := range row {
			left[j] = v - m
		}
		residuals = append(residuals, left)
	}
	for j := range logs[0] {
		e := middle(column(residuals, j))
		for i := range residuals {
			residuals[i][j] -= e
		}
		effects = append(effects, e)
	}
	return effects, residuals
}

func column(rows [][]float64, j int) (list []float64) {
	for _, row := range rows {
		list = append(list, row[j])
	}
	return list
}

func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
