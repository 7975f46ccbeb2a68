package verdict

import (
	"fmt"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// legend says what the columns mean.
func (r *Report) legend() string {
	var b strings.Builder
	if r.timedRows() > 0 || r.countedRows() == 0 {
		r.legendOfTimes(&b)
	}
	if r.countedRows() > 0 {
		r.legendOfCounts(&b)
	}
	if len(r.Exact) > 0 {
		fmt.Fprintf(&b, "As in base: %s.\n", foreign.Line(strings.Join(r.Exact, ", ")))
	}
	return b.String()
}

func (r *Report) legendOfTimes(b *strings.Builder) {
	fmt.Fprintf(b, "change    of head against base, in %%; in the unit itself where a figure is 0\n")
	fmt.Fprintf(b, "interval  holds the true change with %g %% confidence\n", 100*pairs.Confidence)
	fmt.Fprintf(b, "A/A       the change of base against base: noise\n")
	fmt.Fprintf(b, "finds     the change that 4 of 5 such comparisons would find\n")
	fmt.Fprintf(b, "no difference: less than %g %% up or down, or than half an allocation or a byte\n", 100*band)
	fmt.Fprintf(b, "cannot tell: the interval is too wide, or A/A is over half of the change or of\nwhat no difference allows; more rounds, or a quieter machine, would tell\n")
	if n := r.timedRows(); n > 0 {
		fmt.Fprintf(b, "Chance alone shows a change in at most %.2g %% of comparisons this large.\n", 100*r.chance())
	}
	b.WriteString(r.unsteadyMachine())
	if r.Pairs < pairs.Fewest {
		fmt.Fprintf(b, "%d pairs tell nothing: it takes %d.\n", r.Pairs, pairs.Fewest)
	}
}

// unsteadyMachine says when base differs from itself by what would be called a change.
func (r *Report) unsteadyMachine() string {
	n := r.restless()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("Base differs from itself in %d of %d rows: the machine is not steady, so trust\nonly changes that a second comparison shows as well.\n", n, r.timedRows())
}

func (r *Report) legendOfCounts(b *strings.Builder) {
	if r.timedRows() > 0 {
		b.WriteString("\nOf lines without times:\n")
	}
	b.WriteString(`base      its least and most, where it is not exact
change    of head's median against base's, in the unit itself
interval  of the differences between any turn of head and any of base
A/A       the spread of base: 0 is exact
finds     the change that is always found, while head spreads as base does
FAIL: all turns of head are above all of base, by A/A and half a unit at least
`)
	for _, why := range []string{allocating, encoding, segmenting, calling} {
		if list := r.unsteady(why); list != "" {
			fmt.Fprintf(b, "Not exact: %s.\n  %s\n", list, why)
		}
	}
	r.writeAbsences(b)
	if len(r.Open()) > 0 {
		fmt.Fprintf(b, "Cannot tell: a change is told by %d turns or more.\n", FewestTurns)
	}
}

// unsteady lists units that differ for a reason, with the number of their rows.
func (r *Report) unsteady(why string) string {
	var list []string
	for _, u := range units {
		rows, differ := 0, 0
		r.each(func(row Row) {
			if row.Unit != u.name || row.Counts == nil {
				return
			}
			if rows++; !row.Counts.exact() {
				differ++
			}
		})
		if u.unsteady == why && differ > 0 {
			list = append(list, fmt.Sprintf("%s in %d of %d rows", u.name, differ, rows))
		}
	}
	return strings.Join(list, ", ")
}

// writeAbsences says which counts could not be compared.
func (r *Report) writeAbsences(b *strings.Builder) {
	if list := r.listed(r.NotInBase); list != "" {
		fmt.Fprintf(b, "Not compared, since base does not count them:\n  %s\n", list)
	}
	if list := r.listed(r.Absent); list != "" {
		fmt.Fprintf(b, "Not counted here, for want of a permission or of a counter in the kernel:\n  %s\n", list)
	}
}

func (r *Report) listed(all []Absence) string {
	var list []string
	for _, a := range all {
		text := a.Unit
		if a.Benchmarks < len(r.Benchmarks) {
			text += fmt.Sprintf(" of %s", plural(a.Benchmarks))
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}
