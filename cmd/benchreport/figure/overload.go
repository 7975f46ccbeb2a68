package figure

import (
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// overloadView shows who collapses and who sheds.
func overloadView() view {
	return view{
		"overload", "Overload",
		"What is left when more is offered than a framework's own capacity, and callers give up. Who sheds stays near 100 % of its capacity; who collapses works on calls that nobody waits for any more: the wasted share of all calls that handlers completed. The time to recover is that until calls at half of the capacity meet the objective again, 10 s at most. A loaded client can be the limit as well: the doubts say so.",
		[]part{{load, loads}},
		[]metric{
			{id: "overload-goodput", title: "correct replies, in % of the capacity", unit: "%", of: goodput},
			unit("overload-wasted", "wasted work", "%", "wasted-%"),
			unit("overload-recovery", "time to recover", "ns", "recover-ns"),
		},
		(*lineGroup).overloaded,
		"no lines of BenchmarkLoad beyond the capacity: run it with -load=50,100,150,200",
	}
}

// goodput is the correct replies of a line in per cent of the capacity, of which the line
// was offered load per cent.
func goodput(l lines.Line) (percent float64, ok bool) {
	offered := l.Values["offered/s"]
	if !(offered > 0) {
		return 0, false
	}
	return l.Values["calls/s"] / offered * loads.x(l), true
}

// overloaded reports whether a line says how long the server took to recover.
func (g *lineGroup) overloaded() bool {
	return slices.ContainsFunc(g.variants, func(v *variant) bool {
		return slices.ContainsFunc(v.lines, func(l lines.Line) bool { _, ok := l.Values["recover-ns"]; return ok })
	})
}
