package verdict

import (
	"cmp"
	"math"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Status is what is said of a row, in words for the reader.
type Status string

// All that may be said.
const (
	Fail         Status = "FAIL"
	Slower       Status = "slower"
	Faster       Status = "faster"
	More         Status = "more"
	Less         Status = "less"
	NoDifference Status = "no difference"
	CannotTell   Status = "cannot tell"
	CannotFind   Status = "cannot find one more"
	Other        Status = "other" // with another Go or kernel
	NotJudged    Status = "not judged"
	New          Status = "new"
)

// Row is a unit of a benchmark.
type Row struct {
	Unit   string
	Status Status
	// Worse is what the row is called where it fails: Slower or More.
	Worse Status
	// Why replaces the figures in rows that are not compared.
	Why   string
	Scale pairs.Scale
	Base  float64 // the median
	// Change is head against base, and Again is base again against base.
	Change, Again pairs.Change
	// Least is the smallest change that is called one, in Scale.
	Least float64
	// Counts is nil in rows that are judged by pairs. In others Change is the difference
	// of medians, its interval that of all turns, and Again the spread of base.
	Counts *Counts
}

// Benchmark has the rows of one.
type Benchmark struct {
	Name lines.Name
	Rows []Row
}

// Report is what is said of all of them.
type Report struct {
	// Remark is what must be known before the sentence, and ends with a space.
	Remark       string
	Pairs, First int // Rule.Lines and Rule.First
	Benchmarks   []Benchmark
	// Mixed are the settings that differ, and what the machine is described by.
	Mixed []lines.Difference
	// Exact are the units of which every value was as in base.
	Exact []string
	// NotInBase are the counts that only head has, and Absent those that no line has.
	NotInBase, Absent []Absence
}

func (b Benchmark) has(unit string) bool {
	return slices.ContainsFunc(b.Rows, func(r Row) bool { return r.Unit == unit })
}

// units is a number of units in the scale of the row.
func (r Row) units(n float64) float64 {
	if r.Scale == pairs.Relative && n > 0 {
		return n / r.Base
	}
	return n
}

// part is a fraction of base in the scale of the row.
func (r Row) part(fraction float64) float64 {
	if r.Scale == pairs.Absolute {
		return fraction * r.Base
	}
	return fraction
}

// Count is the number of rows of which one of these is said.
func (r *Report) Count(list ...Status) (n int) {
	for _, b := range r.Benchmarks {
		for _, row := range b.Rows {
			if slices.Contains(list, row.Status) {
				n++
			}
		}
	}
	return n
}

// surest returns the row of the status whose interval is farthest from 0; a row
// without figures comes first.
func (b Benchmark) surest(s Status) (row Row, found bool) {
	distance := func(r Row) float64 {
		if r.Why != "" {
			return math.Inf(1)
		}
		return min(math.Abs(r.Change.Low), math.Abs(r.Change.High))
	}
	list := slices.DeleteFunc(slices.Clone(b.Rows), func(r Row) bool { return r.Status != s })
	if len(list) == 0 {
		return Row{}, false
	}
	return slices.MaxFunc(list, func(a, b Row) int { return cmp.Compare(distance(a), distance(b)) }), true
}

// Range is what lies between the least and the most of several values.
type Range struct{ Least, Most float64 }

func (r Range) spread() float64 { return r.Most - r.Least }

// Counts are the values of a unit that is counted, not timed.
type Counts struct {
	// Base is of base and base again together.
	Base, Head Range
	// With is the other Go or kernel that head had, as in "go1.26.8 → go1.27.0".
	With string
}

// exact reports whether base never differs from itself.
func (c *Counts) exact() bool { return c.Base.spread() == 0 }

// Absence is a unit that benchmarks do not have.
type Absence struct {
	Unit       string
	Benchmarks int
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

// least is the smallest change that is called one.
const least = 0.01

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
