package history

import (
	"math"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Counts have no chance to be judged: they are the same on any machine, or nearly. A
// version begins a step if, compared with all versions since the step before,
//
//   - its values are all above theirs or all below, but for the tenth at each end that is
//     left out of either, if there are ten: a collection during a round, which empties
//     pools, must not hide a step;
//   - and the medians differ by half a count, as package verdict has it; bytes by 1 %,
//     too: memory grows by leaps, and a request has the version's name in it.
//
// Then all versions up to the next step, together, must differ from those before as well.
//
// It takes three rounds, but for what a build has: its size, its modules. (Package
// verdict wants five since it stops a change; a record has three by default.)
const (
	leastCount = 0.5
	leastBytes = 0.01
	fewestRows = 3
)

func countedSteps(all []Series) (list []Step) {
	for _, s := range all {
		if KindOf(s.Unit) != Counted || len(s.Values) < fewestRows && !ofBuild(s.Unit) {
			continue
		}
		list = append(list, s.steps(s.keep(s.countedCuts()), countedChange)...)
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

// keep takes out cuts at which all versions up to the next cut, together, do not differ as
// the first of them did.
func (s Series) keep(cuts []int) []int {
	for i := 0; i < len(cuts); i++ {
		before, after := s.beside(cuts, i)
		if !s.changes(slices.Concat(before...), slices.Concat(after...)) {
			return s.keep(slices.Delete(cuts, i, i+1))
		}
	}
	return cuts
}

// changes reports whether a count is another one.
func (s Series) changes(before, after []float64) bool {
	b, a := pairs.Median(before), pairs.Median(after)
	least := leastCount
	if strings.HasSuffix(s.Unit, "B/op") || s.Unit == "binary-B" {
		least = max(least, leastBytes*b)
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
	base := pairs.Median(b)
	c := pairs.Change{Pairs: len(before), Value: pairs.Median(a) - base}
	c.Low, c.High = apart(b, a)
	if base <= 0 {
		return c, pairs.Absolute
	}
	c.Value, c.Low, c.High = c.Value/base, c.Low/base, c.High/base
	return c, pairs.Relative
}
