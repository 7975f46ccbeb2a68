package history

import (
	"math"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchdiff/pairs"
)

// Counts have no chance to be judged: they are the same on any machine, or nearly. A
// version begins a step if, compared with all versions since the step before,
//
//   - its rounds are all above theirs or all below, but for the tenth at each end that
//     is left out of either (with ten rounds or more): a collection during a round, which
//     empties pools, must not hide a step;
//   - and the medians differ by what package verdict calls a change, half a count; of
//     bytes of memory, and of the size of a binary, by 1 %, since they grow by leaps.
//
// It takes three rounds, but for what a build has: its size, its modules.
const (
	leastCount  = 0.5
	leastMemory = 0.01
	fewestRows  = 3
)

func countedSteps(all []Series) (list []Step) {
	for _, s := range all {
		if KindOf(s.Unit) != Counted || len(s.Values) < fewestRows && !ofBuild(s.Unit) {
			continue
		}
		list = append(list, s.steps(s.countedCuts(), countedChange)...)
	}
	return list
}

// ofBuild reports whether a unit is the same in all rounds.
func ofBuild(unit string) bool { return unit == "binary-B" || unit == "modules" }

// countedCuts are the versions at which a count changes.
func (s Series) countedCuts() (cuts []int) {
	from := 0
	for at := 1; at < len(s.Versions); at++ {
		before, after := slices.Concat(s.part(from, at)...), slices.Concat(s.part(at, at+1)...)
		if s.changes(before, after) {
			cuts, from = append(cuts, at), at
		}
	}
	return cuts
}

func (s Series) changes(before, after []float64) bool {
	b, a := medianOf(before), medianOf(after)
	least := leastCount
	if strings.HasSuffix(s.Unit, "B/op") && !strings.Contains(s.Unit, "wire") || s.Unit == "binary-B" {
		least = max(1, leastMemory*b)
	}
	low, high := apart(before, after)
	return math.Abs(a-b) >= least && (low > 0 || high < 0)
}

// apart are the least and the most by which a value after differs from one before.
func apart(before, after []float64) (low, high float64) {
	leastBefore, mostBefore := within(before)
	leastAfter, mostAfter := within(after)
	return leastAfter - mostBefore, mostAfter - leastBefore
}

// within are the least and the most of values but for the tenth at each end.
func within(values []float64) (least, most float64) {
	sorted := slices.Sorted(slices.Values(values))
	out := len(sorted) / 10
	return sorted[out], sorted[len(sorted)-1-out]
}

// countedChange is a change of medians, between the differences of the ranges.
func countedChange(before, after [][]float64) (pairs.Change, pairs.Scale) {
	b, a := slices.Concat(before...), slices.Concat(after...)
	base := medianOf(b)
	c := pairs.Change{Pairs: len(before), Value: medianOf(a) - base}
	c.Low, c.High = apart(b, a)
	if base <= 0 {
		return c, pairs.Absolute
	}
	c.Value, c.Low, c.High = c.Value/base, c.Low/base, c.High/base
	return c, pairs.Relative
}
