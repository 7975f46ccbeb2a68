package history

import (
	"cmp"
	"slices"
)

// Steps returns the steps of all series of the record's versions, in the order of
// Series and then of versions. Programs beside the versions have no steps, since
// each is a series of one version. steps_timed.go and steps_counted.go say how they are found, and
// how often in vain.
func (r *Record) Steps() []Step {
	all := r.Series()
	steps := slices.Concat(timedSteps(all), countedSteps(all))
	for i, s := range steps {
		steps[i].Also = r.also(s)
	}
	order := map[string]int{}
	for i, s := range slices.Backward(all) { // those of the versions come first, and hold
		order[s.key()] = i
	}
	slices.SortStableFunc(steps, func(a, b Step) int {
		return cmp.Or(order[a.key()]-order[b.key()], a.At-b.At)
	})
	return steps
}

func (s Series) key() string { return s.Name.Full + " " + s.Unit }
