package history

import (
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Step is a version from which on a unit of a case is another one.
type Step struct {
	Series
	At int // the first version with it, by its place in Series.Versions
	// Change is against the versions before it, from the step before; with its interval
	// of 95 %. Of counts it lies between the differences of their ranges.
	Change pairs.Change
	Scale  pairs.Scale // of Change; Absolute if a count was 0 before
	// Chance is how often a record without a step has one as clear as this in any of its
	// timed series; 0 of counts, which have no chance.
	Chance   float64
	From, To float64 // medians before and after, in the unit
	// Also are configuration lines that change here as well, as in "protobuf v1.35.2 →
	// v1.36.12"; the module's own version is not among them.
	Also []string
}

// Version is the name of the first version with the step.
func (s Step) Version() string { return s.Versions[s.At] }

// steps makes those at the given versions, without their Chance.
func (s Series) steps(cuts []int, change func(before, after [][]float64) (pairs.Change, pairs.Scale)) (list []Step) {
	for i, at := range cuts {
		step := Step{Series: s, At: at}
		before, after := s.beside(cuts, i)
		step.From, step.To = pairs.Median(slices.Concat(before...)), pairs.Median(slices.Concat(after...))
		step.Change, step.Scale = change(before, after)
		list = append(list, step)
	}
	return list
}

// beside has the values of the versions before a cut and behind it, up to the next cuts.
func (s Series) beside(cuts []int, i int) (before, after [][]float64) {
	from, to := around(cuts, i, len(s.Versions))
	return s.part(from, cuts[i]), s.part(cuts[i], to)
}

// around is where the piece before a cut begins, and where the one behind it ends.
func around(cuts []int, i, end int) (from, to int) {
	to = end
	if i > 0 {
		from = cuts[i-1]
	}
	if i+1 < len(cuts) {
		to = cuts[i+1]
	}
	return from, to
}

// part has the values of some neighbouring versions, by round.
func (s Series) part(from, to int) (rows [][]float64) {
	for _, row := range s.Values {
		rows = append(rows, row[from:to])
	}
	return rows
}
