package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// mostLines is the number of lines of a table that Brief prints at most: a screen has
// room for it, and for what stands around it.
const mostLines = 40

// part is what a table shows of a benchmark.
type part struct {
	name string
	rows [][]string
}

// lineCount is the number of lines that parts take.
func lineCount(parts []part) (n int) {
	for _, p := range parts {
		n += 1 + len(p.rows)
	}
	return n
}

// Brief is the sentence, a table of what changed, and a line on the noise: 60 lines at
// most. A table that fits has all rows.
func (r *Report) Brief(base, head string) string {
	var b strings.Builder
	b.WriteString(r.heading(base, head))
	parts, left := r.whole(), 0
	if lineCount(parts) > mostLines {
		parts, left = r.changes(mostLines)
	}
	if len(parts) > 0 {
		b.WriteString("\n")
		writeTable(&b, cellsOf(parts))
		b.WriteString(more(left) + "\n" + r.columns())
	}
	b.WriteString(r.noise())
	return b.String()
}

// heading is the sentence, and below it what was compared.
func (r *Report) heading(base, head string) string {
	_, common := r.names()
	return fmt.Sprintf("%s\n\n%s against %s, %s%s\n", r.Sentence(), foreign.Line(head), foreign.Line(base), r.turns(), common)
}

// whole has a part for each benchmark.
func (r *Report) whole() (parts []part) {
	short, _ := r.names()
	for i, b := range r.Benchmarks {
		parts = append(parts, part{short[i], b.cells()})
	}
	return parts
}

// severity has what may be said of a row that changed, the worst first.
func severity() []Status { return []Status{Fail, Slower, More, Other, Faster, Less, New} }

// worst is the place of a benchmark's worst row in severity, which is its length if nothing
// changed.
func (b Benchmark) worst() int {
	worst := len(severity())
	for _, row := range b.Rows {
		if i := slices.Index(severity(), row.Status); i >= 0 {
			worst = min(worst, i)
		}
	}
	return worst
}

// changes has the rows that changed. Where these take more than most lines, it has the
// surest of the worst rows of each benchmark, the worst benchmarks first; left is the
// number of the other rows.
func (r *Report) changes(most int) (parts []part, left int) {
	if parts = r.changedRows(); lineCount(parts) <= most {
		return parts, 0
	}
	short, _ := r.names()
	order := make([]int, len(r.Benchmarks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(r.Benchmarks[i].worst(), r.Benchmarks[j].worst()) })
	parts = nil
	for _, i := range order[:min(len(order), most/2)] {
		b := r.Benchmarks[i]
		if w := b.worst(); w < len(severity()) {
			row, _ := b.surest(severity()[w])
			parts = append(parts, part{short[i], [][]string{row.cells()}})
		}
	}
	return parts, r.Count(severity()...) - len(parts)
}

func (r *Report) changedRows() (parts []part) {
	short, _ := r.names()
	for i, b := range r.Benchmarks {
		p := part{name: short[i]}
		for _, row := range b.Rows {
			if slices.Contains(severity(), row.Status) {
				p.rows = append(p.rows, row.cells())
			}
		}
		if len(p.rows) > 0 {
			parts = append(parts, p)
		}
	}
	return parts
}

// more says how many rows that changed a table leaves out.
func more(left int) string {
	if left == 0 {
		return ""
	}
	return fmt.Sprintf("%d more rows have changed.\n", left)
}

// columns says in short what the columns of a table mean.
func (r *Report) columns() string {
	if r.timedRows() == 0 && r.countedRows() > 0 {
		return "interval: any turn of head less any of base; A/A: how far base spreads;\nfinds: the change that is always found\n"
	}
	return fmt.Sprintf("interval: of the true change, %g %% sure; A/A: base against itself;\nfinds: the change that 4 of 5 such runs would find\n", 100*pairs.Confidence)
}

// noise says by how much base differs from itself, and so how small a change is found.
func (r *Report) noise() string {
	var b strings.Builder
	if noise, finds := r.ofTimes(); len(noise) > 0 {
		fmt.Fprintf(&b, "Noise: base and base again differ by %s in %d timings.\nSuch a run finds changes of %s.\n",
			medianAndMost(noise), len(noise), medianAndMost(finds))
	}
	if n, exact := r.countedRows(), r.exactCounts(); n > 0 {
		fmt.Fprintf(&b, "Noise: in %d of %d counts all turns of base are the same.\n", exact, n)
	}
	if r.Count(CannotTell) > 0 {
		b.WriteString("More rounds, or a quieter machine, would tell what this run cannot.\n")
	}
	b.WriteString(r.unsteadyMachine())
	return b.String()
}

// ofTimes are the A/A of times, without their signs, and the changes that would be found.
func (r *Report) ofTimes() (noise, finds []float64) {
	r.each(func(row Row) {
		if row.Counts == nil && row.Scale == pairs.Relative && row.Change.Pairs >= pairs.Fewest && !isCount(row.Unit) {
			noise = append(noise, math.Abs(row.Again.Value))
			finds = append(finds, row.Change.Finds(row.Least, row.Scale))
		}
	})
	return noise, finds
}

func medianAndMost(list []float64) string {
	return fmt.Sprintf("%s %% (median) and %s %% (most)", percentage(median(list)), percentage(slices.Max(list)))
}

// exactCounts is the number of counts in which base never differs from itself.
func (r *Report) exactCounts() (n int) {
	r.each(func(row Row) {
		if row.Counts != nil && row.Counts.exact() {
			n++
		}
	})
	return n
}

// cellsOf are the cells of a table.
func cellsOf(parts []part) [][]string {
	cells := [][]string{{"", "base", "change", "interval", "A/A", "finds", "verdict"}}
	for _, p := range parts {
		cells = append(append(cells, []string{p.name}), p.rows...)
	}
	return cells
}
