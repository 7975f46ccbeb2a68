package verdict

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/perf/benchunit"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

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
	if s := percentage(v); s != "0.0" {
		return plus(s)
	}
	return "0.0"
}

// percentage has a decimal below 100 %, and no sign of nothing.
func percentage(v float64) string {
	digits := 1
	if math.Abs(v) >= 0.9995 {
		digits = 0
	}
	s := strconv.FormatFloat(100*v, 'f', digits, 64)
	if strings.Trim(s, "-0.") == "" {
		return "0.0"
	}
	return s
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
