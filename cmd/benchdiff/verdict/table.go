package verdict

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/perf/benchunit"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Text is the sentence, the table and how to read it. The programs are called
// by their names.
func (r *Report) Text(base, head string) string {
	short, common := r.names()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s against %s, %s%s\n\n", r.Sentence(), foreign.Line(head), foreign.Line(base), r.turns(), common)
	cells := [][]string{{"", "base", "change", "interval", "A/A", "finds", "verdict"}}
	for i, benchmark := range r.Benchmarks {
		cells = append(cells, []string{short[i]})
		cells = append(cells, benchmark.cells()...)
	}
	writeTable(&b, cells)
	b.WriteString("\n" + r.legend())
	return b.String()
}

// names returns what tells the benchmarks apart, and what all have in common.
func (r *Report) names() (short []string, common string) {
	var all []lines.Name
	having := map[lines.Key]int{} // names
	for _, b := range r.Benchmarks {
		all = append(all, b.Name)
		for i, k := range b.Name.Keys {
			if !slices.Contains(b.Name.Keys[:i], k) {
				having[k]++
			}
		}
	}
	shared := func(k lines.Key) bool { return having[k] == len(all) }
	sameBase := !slices.ContainsFunc(all, func(n lines.Name) bool { return n.Base != all[0].Base })
	for _, n := range all {
		short = append(short, shortName(n, sameBase, shared))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(short)))) < len(short) { // with other numbers of procs
		for i, n := range all {
			short[i] = n.Full
		}
	}
	for i, name := range short {
		short[i] = foreign.Line(name)
	}
	return short, foreign.Line(commonName(all, sameBase, shared))
}

// shortName leaves out what all benchmarks share. A value stands alone unless
// it is a number, which means nothing without its key.
func shortName(n lines.Name, sameBase bool, shared func(lines.Key) bool) string {
	var parts []string
	if !sameBase {
		parts = append(parts, n.Base)
	}
	for _, k := range n.Keys {
		switch {
		case shared(k):
		case k.Key == "" || k.Value != "" && !unicode.IsDigit(rune(k.Value[0])):
			parts = append(parts, k.Value)
		default:
			parts = append(parts, k.Key+"="+k.Value)
		}
	}
	if len(parts) == 0 {
		return n.Base
	}
	return strings.Join(parts, "/")
}

func commonName(all []lines.Name, sameBase bool, shared func(lines.Key) bool) string {
	var parts []string
	if sameBase && len(all) > 1 {
		parts = append(parts, all[0].Base)
	}
	for _, k := range all[0].Keys {
		if shared(k) {
			parts = append(parts, strings.TrimPrefix(k.Key+"="+k.Value, "="))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, " ")
}

// cells returns the cells of a row; a row without figures has only its unit and why.
func (r Row) cells() []string {
	status, unit := string(r.Status), "  "+foreign.Line(r.Unit)
	switch {
	case r.Status == Fail:
		status = "FAIL, " + string(r.Worse)
	case r.Status == Other:
		status += r.with()
	}
	if r.Why != "" {
		return []string{unit, fmt.Sprintf("%s: %s", r.Status, r.Why)}
	}
	return []string{unit, r.base(), r.change(), r.interval(), r.noise(), r.finds(), status}
}

// cells has a row for what there is to say of a benchmark, and one for all counts that
// are exact and have not changed. Counts that are not judged are in the files.
func (b Benchmark) cells() (rows [][]string) {
	exact := 0
	for _, row := range b.Rows {
		switch {
		case row.asInBase():
			exact++
		case row.Status != NotJudged || row.apart():
			rows = append(rows, row.cells())
		}
	}
	if exact > 0 {
		rows = append(rows, []string{"  exact, as in base", fmt.Sprintf("%d of %d counts", exact, b.judgedCounts())})
	}
	return rows
}

// judgedCounts is the number of counts that are judged.
func (b Benchmark) judgedCounts() (n int) {
	for _, row := range b.Rows {
		if row.Counts != nil && row.Status != NotJudged {
			n++
		}
	}
	return n
}

// asInBase reports whether each turn of base and of head had the same count.
func (r Row) asInBase() bool {
	return r.Counts != nil && r.Status == NoDifference && r.Counts.exact() && r.Counts.Head == r.Counts.Base
}

// with says which other Go or kernel a change goes with.
func (r Row) with() string {
	if r.Status != Other {
		return ""
	}
	return " with " + foreign.Line(r.Counts.With)
}

// turns are how often the programs of a table ran.
func (r *Report) turns() string {
	switch {
	case r.First > 0:
		return fmt.Sprintf("%d turns, %d where a count seemed to change", r.First, r.Pairs)
	case r.timedRows() == 0 && r.countedRows() > 0:
		return fmt.Sprintf("%d turns", r.Pairs)
	}
	return fmt.Sprintf("%d pairs", r.Pairs)
}

func (r Row) base() string {
	switch {
	case r.Change.Pairs == 0:
		return "-"
	case r.Counts != nil && !r.Counts.exact():
		return round(r.Counts.Base.Least) + ".." + round(r.Counts.Base.Most)
	}
	if strings.HasSuffix(r.Unit, "ns") || strings.HasSuffix(r.Unit, "ns/op") {
		return benchunit.Scale(r.Base/1e9, benchunit.Decimal) + "s"
	}
	return round(r.Base)
}

// figure has four digits or more, and no exponent.
func figure(v float64) string {
	if math.Abs(v) >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// change has its % where it is one.
func (r Row) change() string {
	if r.Scale == pairs.Relative && r.Change.Pairs > 0 {
		return r.signed(r.Change.Value) + "%"
	}
	return r.signed(r.Change.Value)
}

func (r Row) interval() string {
	if r.Change.Pairs < pairs.Fewest && r.Counts == nil {
		return "unknown"
	}
	return r.signed(r.Change.Low) + ".." + r.signed(r.Change.High)
}

// noise is by how much base differs from itself.
func (r Row) noise() string {
	if r.Counts != nil {
		return strings.TrimPrefix(r.signed(r.Again.Value), "+")
	}
	return r.signed(r.Again.Value)
}

func (r Row) finds() string {
	switch size := r.Change.Finds(r.Least, r.Scale); {
	case r.Status == NotJudged:
		return "-"
	case r.Counts != nil:
		return round(r.found())
	case r.Change.Pairs < pairs.Fewest:
		return "-"
	case size == 0:
		return "any"
	default:
		return strings.TrimPrefix(r.signed(size), "+")
	}
}

// signed is in percent, or in the unit, and short.
func (r Row) signed(v float64) string {
	switch {
	case r.Change.Pairs == 0:
		return "-"
	case r.Scale == pairs.Absolute:
		return plus(round(v))
	}
	digits := 1
	if math.Abs(v) >= 0.9995 {
		digits = 0
	}
	s := strconv.FormatFloat(100*v, 'f', digits, 64)
	if strings.Trim(s, "-0.") == "" {
		return "0.0"
	}
	return plus(s)
}

// round leaves two decimals of what is near 0, and no sign of nothing.
func round(v float64) string {
	if math.Abs(v) < 1 {
		v = math.Round(100*v)/100 + 0
	}
	return figure(v)
}

func plus(s string) string {
	if s == "0" || strings.HasPrefix(s, "-") {
		return s
	}
	return "+" + s
}

// writeTable aligns columns, the first and the last to the left. A row of one
// or two cells keeps to no column after the first.
func writeTable(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			if i == 0 && len(row) > 1 || len(row) == len(widths) {
				widths[i] = max(widths[i], utf8.RuneCountInString(cell))
			}
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			room := strings.Repeat(" ", max(widths[i]-utf8.RuneCountInString(cell), 0))
			switch {
			case i == 0:
				line.WriteString(cell + room)
			case len(row) < len(widths) || i == len(widths)-1:
				line.WriteString("  " + cell)
			default:
				line.WriteString("  " + room + cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

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
	fmt.Fprintf(b, "no difference: less than %g %% up or down, or than half an allocation or a byte\n", 100*Band)
	fmt.Fprintf(b, "cannot tell: the interval is too wide, or A/A is over half of the change or of\nwhat no difference allows; more rounds, or a quieter machine, would tell\n")
	if n := r.timedRows(); n > 0 {
		fmt.Fprintf(b, "Chance alone shows a change in at most %.2g %% of comparisons this large.\n", 100*r.chance())
	}
	if n := r.restless(); n > 0 {
		fmt.Fprintf(b, "Base differs from itself in %d of %d rows: the machine is not steady, so trust\nonly changes that a second comparison shows as well.\n", n, r.timedRows())
	}
	if r.Pairs < pairs.Fewest {
		fmt.Fprintf(b, "%d pairs tell nothing: it takes %d.\n", r.Pairs, pairs.Fewest)
	}
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

// compared is the number of rows with figures that are judged.
func (r *Report) compared() int { return r.timedRows() + r.countedRows() }

// timedRows is the number of rows that are judged by pairs.
func (r *Report) timedRows() (n int) {
	r.each(func(row Row) {
		if row.Counts == nil {
			n++
		}
	})
	return n
}

// countedRows is the number of rows that are judged as counts.
func (r *Report) countedRows() (n int) {
	r.each(func(row Row) {
		if row.Counts != nil {
			n++
		}
	})
	return n
}

// restless is the number of rows in which base differs from itself by what
// would be called a change.
func (r *Report) restless() (n int) {
	r.each(func(row Row) {
		if row.Counts == nil && row.Again.Shown() && math.Abs(row.Again.Value) >= row.part(least) {
			n++
		}
	})
	return n
}

// each does something with the rows that have figures and are judged.
func (r *Report) each(do func(Row)) {
	for _, b := range r.Benchmarks {
		for _, row := range b.Rows {
			if row.Why == "" && row.Status != NotJudged {
				do(row)
			}
		}
	}
}

// chance is the probability that any of the rows shows a change where there is
// none, at most.
func (r *Report) chance() float64 { return min(1, float64(r.timedRows())*(1-pairs.Confidence)) }
