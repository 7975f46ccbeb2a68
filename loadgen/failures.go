package loadgen

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/rpcbench/rpcbench/loadgen/internal/failure"
)

// The kinds of calls that did not return.
var (
	errUnfinished = errors.New("did not return before the end of the run")
	errPanicked   = errors.New("panicked") // the PanicError says more
)

// maxMergedKinds bounds the kinds of runs that were merged, or read.
const maxMergedKinds = 200

// listOf returns the kinds, the most frequent first.
func listOf(k failure.Kinds) []ErrorKind {
	list := make([]ErrorKind, 0, len(k))
	for text, n := range k {
		list = append(list, ErrorKind{text, *n})
	}
	slices.SortFunc(list, func(a, b ErrorKind) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return list
}

// joinKinds adds kinds up. Of more than most the most frequent are kept, and what
// is left counts as others. The texts may be of others, and of any length.
func joinKinds(most int, lists ...[]ErrorKind) []ErrorKind {
	sum := failure.Kinds{}
	for _, k := range slices.Concat(lists...) {
		sum.Add(failure.Append(nil, k.Text), k.Count, math.MaxInt-1)
	}
	all := listOf(sum)
	if len(all) <= most {
		return all
	}
	few := failure.Kinds{}
	for _, k := range all {
		few.Add([]byte(k.Text), k.Count, most)
	}
	return listOf(few)
}
