// Package verdict says for benchdiff what a change did to benchmarks, and whether it may pass.
//
// Base, base again and head ran alternately, in turns. Of a benchmark that prints
// times, lines in the same place of their files are pairs. Of each row, which is a unit of a benchmark, package
// pairs compares head with base, and in the same way base again with base: that
// is the noise, A/A. One interval of 99.9 % decides what is said of the row:
//
//   - slower, faster (times), more or less (allocations and bytes): the interval
//     does not hold 0, and the change is at least twice A/A and at least 1 %; at
//     least half an allocation, where these are counted.
//   - no difference: otherwise, when the interval lies between −5 % and 5 %, or
//     between half an allocation (a byte) less and more, and A/A does not show
//     more than half of that. A change that matters is excluded.
//   - cannot tell: otherwise. More rounds, or a quieter machine, would tell.
//
// Rows are not corrected for each other: the confidence is high instead. Of n
// rows without a change, chance shows one in at most n/1000 of all comparisons;
// the table says how many that is.
//
// These fail:
//
//   - a benchmark of base that head does not have;
//   - a unit that half of base's lines have and none of head's has;
//   - a benchmark with another number of result lines than expected;
//   - calls that failed;
//   - a value of an exact unit (assume=exact) in head that base never had, and a
//     line of head without an exact unit that all lines of base have;
//   - with Rule.Dedicated, a row that is slower, or has more allocations or bytes,
//     by more than 5 %;
//   - a count that has risen, as follows.
//
// # Counts
//
// A line without times has counts: allocations, segments, system calls, and bytes on
// the wire. They are the same on any machine. Most differ from turn to turn by less
// than one, or not at all, so a few turns tell what 100 pairs tell of times. With
// Rule.Counts the allocations of timed lines are judged in the same way, and their
// times are not.
//
// A/A is the spread of base: the most less the least of all turns of base and base
// again. A count has risen if all turns of head are above all of base, by half a unit
// at least, and by A/A at least; it is less if they are so much below. So one
// allocation more is found in every comparison if A/A is at most half an allocation,
// and always if base is exact, which is an A/A of 0. Otherwise the row says that one
// more cannot be found.
//
// A false alarm takes a head that lies apart from base by chance. Where n turns of head
// and 2n of base are alike and A/A did not count, all of head would be above base in 1
// of (3n)!/(2n)!/n! comparisons, which is 1 of 3,003 with 5 turns. That head is above by
// A/A as well is rarer by orders of magnitude. What remains are counts with two values
// a whole unit apart: the higher one in 5 turns of head and in none of base has a
// probability of 1 in 14,000 at most.
//
// A further turn cannot make a count rise that has not risen so far: it widens what
// base had, or lowers the least of head. So after a few turns only those benchmarks
// need more in which a count seems to have changed, which Report.Open lists. The
// others would not fail, however often they ran.
//
// Where head had another version of Go or another kernel than base, as after a change
// of go.mod, its counts may differ for that reason. They are reported, with both
// versions, and do not fail. Bytes that are allocated, and what grows with waiting, as
// context switches do, are information.
package verdict

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Rule is what is asked of head.
type Rule struct {
	// Dedicated says that the machine does nothing else: changes for the worse fail.
	Dedicated bool
	// Mixed says to compare also what was measured with different settings of the Go
	// runtime.
	Mixed bool
	// Counts says to judge what is counted, also of lines with times, and nothing else.
	Counts bool
	// Lines is the number of result lines of each benchmark in each file.
	Lines int
	// First, if it is more than 0, is the number of lines of benchmarks that were not
	// measured again, since Open did not list them.
	First int
}

const (
	// band is the change that matters: no difference means less, and on a dedicated
	// machine more fails.
	band = 0.05
)

// Judge compares head with base. The error says why the files cannot be judged.
func (r Rule) Judge(base, again, head *Results) (*Report, error) {
	told := Together(base, again, head)
	base, again, head = told[0], told[1], told[2]
	j := judge{r, base, again, head}
	differ, err := r.differences(allOf(j.files()))
	if err != nil {
		return nil, err
	}
	report := &Report{Pairs: r.Lines, First: r.First, Exact: slices.Clone(base.exact), Mixed: differ}
	for _, name := range union(j.files()) {
		b := Benchmark{name, j.rows(name.Full)}
		report.Benchmarks = append(report.Benchmarks, b)
		report.Exact = slices.DeleteFunc(report.Exact, b.has)
	}
	report.NotInBase, report.Absent = j.absent()
	return report, nil
}

// Agree is the error of Judge about machines and settings, of what base and head
// printed in a run of each package. Of runs without results there is nothing to say.
func (r Rule) Agree(base, head [][]byte) error {
	var files []*Results
	for i, list := range [][][]byte{base, head} {
		for _, printed := range list {
			f, err := parse([]string{"base", "head"}[i], printed)
			if err != nil {
				return nil
			}
			files = append(files, f)
		}
	}
	_, err := r.differences(allOf(files))
	return err
}

// differences are the settings that differ, of one machine and part of it, and how the
// machine is described otherwise, as after an update of its kernel.
func (r Rule) differences(all []lines.Line) (differ []lines.Difference, err error) {
	if err := lines.SameMachine(all, lines.Part()...); err != nil {
		return nil, foreign.Error(err)
	}
	differ = lines.Rule{Fields: []lines.Field{lines.Setup}}.Differences(all)
	if len(differ) > 0 && !r.Mixed {
		return nil, foreign.Error(fmt.Errorf("%s: results of different settings are compared with -mixed only", differ[0]))
	}
	return append(differ, lines.Rule{Fields: []lines.Field{lines.Host}}.Differences(all)...), nil
}

// judge has what a judgement is about.
type judge struct {
	Rule
	base, again, head *Results
}

func (j judge) files() []*Results { return []*Results{j.base, j.again, j.head} }

// rows judges a benchmark.
func (j judge) rows(name string) (list []Row) {
	isNew := len(j.base.of[name])+len(j.again.of[name]) == 0
	if isNew {
		list = append(list, Row{Unit: "benchmark", Status: New, Why: "not in base"})
	}
	list = slices.Concat(list, j.lineRows(name, isNew), j.exactRows(name))
	if isNew || len(j.head.of[name]) == 0 {
		return list
	}
	judge := j.unitRows
	if j.byCounts(name) {
		judge = j.countRows
	}
	for _, u := range units {
		list = append(list, judge(name, u)...)
	}
	return list
}

// lineRows says which files lack lines of a benchmark, or have too many.
func (j judge) lineRows(name string, isNew bool) (list []Row) {
	for _, f := range j.files() {
		if n := len(f.of[name]); n != j.lines(name) && (f == j.head || !isNew) {
			list = append(list, Row{Unit: "lines", Status: Fail, Why: fmt.Sprintf("%d in %s, %d expected", n, f.File, j.lines(name))})
		}
	}
	return list
}

// lines is how many each file should have of a benchmark.
func (j judge) lines(name string) int {
	if j.First > 0 && max(len(j.base.of[name]), len(j.again.of[name]), len(j.head.of[name])) <= j.First {
		return j.First
	}
	return j.Lines
}

// exactRows says which exact units have a value in head that base never had, or
// lack one that base always had. Failed calls fail whatever base has.
func (j judge) exactRows(name string) (list []Row) {
	if n := distinct(j.head.values(name, "errors")); len(n) > 0 && n[len(n)-1] > 0 {
		list = append(list, Row{Unit: "errors", Status: Fail, Why: fmt.Sprintf("up to %g calls of a line failed", n[len(n)-1])})
	}
	for _, u := range j.base.exact {
		base := distinct(slices.Concat(j.base.values(name, u), j.again.values(name, u)))
		inHead, ofHead := len(j.head.values(name, u)), len(j.head.of[name])
		head := distinct(j.head.values(name, u))
		isNew := func(v float64) bool { return !slices.Contains(base, v) }
		switch {
		case len(base) == 0 || ofHead == 0 || u == "errors" && len(list) > 0 || j.byCounts(name) && gated(u):
		case len(head) == 0:
			list = append(list, lost(u))
		case slices.ContainsFunc(head, isNew):
			list = append(list, Row{Unit: u, Status: Fail, Why: fmt.Sprintf("%s, base has %s and is exact", text(head), text(base))})
		case inHead < ofHead && j.base.always(name, u) && j.again.always(name, u):
			list = append(list, Row{Unit: u, Status: Fail, Why: fmt.Sprintf("in %d of %d lines, base has it in all", inHead, ofHead)})
		}
	}
	return list
}

func lost(unit string) Row { return Row{Unit: unit, Status: Fail, Why: "lost: head has none"} }

// text has the values one after the other.
func text(values []float64) string {
	var list []string
	for _, v := range values {
		list = append(list, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return strings.Join(list, " ")
}

// unitRows judges a unit, of which there is no row where base has none. calls/s
// only repeats ns/op where there is both.
func (j judge) unitRows(name string, u unit) []Row {
	base, again, head := j.paired(name, u.name)
	inBase := len(j.base.values(name, u.name))
	switch {
	case inBase == 0, u.waits, slices.Contains(j.base.exact, u.name):
		return nil
	case u.name == "calls/s" && len(j.base.values(name, "ns/op")) > 0:
		return nil
	case 2*inBase >= len(j.base.of[name]) && len(j.head.values(name, u.name)) == 0:
		return []Row{lost(u.name)}
	}
	row := Row{Unit: u.name, Worse: u.word(true), Base: median(base), Scale: scale(base, again, head)}
	row.Change, row.Again = pairs.Compare(base, head, row.Scale), pairs.Compare(base, again, row.Scale)
	row.Least = max(u.least(row), 2*math.Abs(row.Again.Value))
	row.Status = j.status(u, row)
	return []Row{row}
}

// paired returns the values of the turns in which all three have the unit: a
// percentile is left out of a line that has too few calls for it. Without all
// lines nobody knows which turn a line is of.
func (j judge) paired(name, unit string) (base, again, head []float64) {
	if !j.complete(name) {
		return nil, nil, nil
	}
	bs, as, hs := j.base.of[name], j.again.of[name], j.head.of[name]
	for i := range bs {
		b, inBase := bs[i].Values[unit]
		a, inAgain := as[i].Values[unit]
		h, inHead := hs[i].Values[unit]
		if inBase && inAgain && inHead {
			base, again, head = append(base, b), append(again, a), append(head, h)
		}
	}
	return base, again, head
}

// complete reports whether the lines of a benchmark are pairs.
func (j judge) complete(name string) bool {
	n := len(j.base.of[name])
	return n == len(j.again.of[name]) && n == len(j.head.of[name])
}

// scale is relative, where there is something to divide by.
func scale(lists ...[]float64) pairs.Scale {
	if list := slices.Concat(lists...); len(list) > 0 && slices.Min(list) <= 0 {
		return pairs.Absolute
	}
	return pairs.Relative
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	list = slices.Sorted(slices.Values(list))
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// status says what the interval of a row means.
func (j judge) status(u unit, row Row) Status {
	size, worse := math.Abs(row.Change.Value), row.Change.Value > 0 != u.rising
	shown := row.Change.Shown() && size >= row.Least
	bound := max(row.part(band), row.units(u.step))
	switch {
	case row.Change.Pairs < pairs.Fewest:
		return CannotTell
	case shown && worse && j.Dedicated && size > row.part(band):
		return Fail
	case shown:
		return u.word(worse)
	case row.Again.Shown() && math.Abs(row.Again.Value) > bound/2:
		return CannotTell
	case row.Change.Within(bound):
		return NoDifference
	}
	return CannotTell
}
