package figures

import (
	"fmt"
	"math"
	"slices"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/markdown"
)

// spread is the median of a figure over the rounds of a run, and its interval.
type spread struct {
	median    float64
	low, high float64 // the true median is between them with 95 % confidence
}

// spreadOf takes the interval from the order of the rounds, as benchstat does: it
// assumes nothing about their distribution. Fewer than six rounds are too few for
// 95 %, so their interval has no ends.
func spreadOf(rounds []float64) spread {
	n := len(rounds)
	if n == 0 {
		return spread{}
	}
	list := slices.Sorted(slices.Values(rounds))
	s := spread{(list[(n-1)/2] + list[n/2]) / 2, math.Inf(-1), math.Inf(1)}
	if k := outside(n); k > 0 {
		s.low, s.high = list[k-1], list[n-k]
	}
	return s
}

// outside is the largest k so that the true median of n values is between the k-th
// smallest and the k-th largest with at least 95 % confidence; 0 if there is none.
// It is not between them if fewer than k of n tosses of a coin are heads, or tails.
func outside(n int) (k int) {
	heads := math.Pow(0.5, float64(n)) // how likely k heads are
	for wrong := 2 * heads; wrong <= 0.05; wrong += 2 * heads {
		heads *= float64(n-k) / float64(k+1)
		k++
	}
	return k
}

// below reports that s is smaller by more than chance: the intervals do not meet.
func (s spread) below(other spread) bool { return s.high < other.low }

// String is the median and how far the farther end of the interval is from it.
func (s spread) String() string {
	far := max(s.high-s.median, s.median-s.low)
	if math.IsInf(far, 0) {
		return markdown.Whole(s.median) + " ± ∞"
	}
	return fmt.Sprintf("%s ± %s %%", markdown.Whole(s.median), markdown.Whole(100*far/s.median))
}

// place is where a figure may stand in the order of several, from the smallest.
type place struct{ first, last int }

// places returns the place of each figure: behind all that are below it, and before
// all that it is below. Figures that cannot be told apart have places in common, so
// chance may exchange them.
func places(list []spread) []place {
	result := make([]place, len(list))
	for i, s := range list {
		result[i] = place{1, len(list)}
		for _, other := range list {
			if other.below(s) {
				result[i].first++
			}
			if s.below(other) {
				result[i].last--
			}
		}
	}
	return result
}

func (p place) String() string {
	if p.first == p.last {
		return fmt.Sprint(p.first)
	}
	return fmt.Sprintf("%d–%d", p.first, p.last)
}
