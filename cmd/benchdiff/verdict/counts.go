package verdict

import (
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// FewestTurns is the smallest number of turns by which counts are judged. Where one
// turn in three has a whole allocation more, by chance, 5 turns of head are all above
// 10 of base in 1 comparison of 14,000; with 3 turns it is 1 of 300.
const FewestTurns = 5

// one is a byte, an allocation, a segment or a system call: what is to be found.
const one = 1

// byCounts reports whether a benchmark is judged by counts.
func (j judge) byCounts(name string) bool { return j.Counts || !j.timed(name) }

// timed reports whether the lines of a benchmark have times.
func (j judge) timed(name string) bool {
	for _, f := range j.files() {
		for _, l := range f.of[name] {
			return l.Timed()
		}
	}
	return true
}

// countRows judges a unit that is counted. There is no row where base or head has none.
func (j judge) countRows(name string, u unit) []Row {
	base, again, head := j.base.values(name, u.name), j.again.values(name, u.name), j.head.values(name, u.name)
	switch {
	case !u.isCount, len(base)+len(again) == 0:
		return nil
	case len(head) == 0 && u.judged() && 2*len(base) >= len(j.base.of[name]):
		return []Row{lost(u.name)}
	case len(head) == 0:
		return nil
	}
	row := Row{Unit: u.name, Worse: More, Scale: pairs.Absolute, Counts: &Counts{With: j.with(name)}}
	row.compare(slices.Concat(base, again), head, u.step)
	row.Change.Pairs = min(len(base), len(again), len(head))
	row.Status = row.countStatus(u)
	return []Row{row}
}

// compare finds out by how much head may differ from base. Step is the least change
// that matters.
func (r *Row) compare(base, head []float64, step float64) {
	b, h := Range{slices.Min(base), slices.Max(base)}, Range{slices.Min(head), slices.Max(head)}
	r.Counts.Base, r.Counts.Head = b, h
	r.Base = median(base)
	r.Change = pairs.Change{Value: median(head) - r.Base, Low: h.Least - b.Most, High: h.Most - b.Least}
	r.Again.Value = b.spread()
	r.Least = max(step, b.spread())
}

// countStatus says what the counts mean.
func (r Row) countStatus(u unit) Status {
	switch {
	case !u.judged():
		return NotJudged
	case r.apart() && r.Change.Pairs < FewestTurns:
		return CannotTell
	case r.apart() && r.Counts.With != "":
		return Other
	case r.Change.Low >= r.Least:
		return Fail
	case r.apart():
		return Less
	case r.found() > one || r.Change.Low <= -one || r.Change.High >= one:
		return CannotFind
	}
	return NoDifference
}

// apart reports whether all turns of head are above all of base, or below.
func (r Row) apart() bool { return r.Change.Low >= r.Least || r.Change.High <= -r.Least }

// Open lists the benchmarks, without the number of procs, of which a count seems to have
// changed, in too few turns.
func (r *Report) Open() (list []string) {
	for _, b := range r.Benchmarks {
		if slices.ContainsFunc(b.Rows, func(row Row) bool { return row.Counts != nil && row.Status == CannotTell }) {
			list = append(list, lines.ParseName(strings.Fields(b.Name.Full)[0]).Full)
		}
	}
	return list
}

// found is the smallest change that is found in every comparison in which head's
// values spread as base's do.
func (r Row) found() float64 { return r.Least + r.Counts.Base.spread() }

// with says which other Go or kernel head had for a benchmark; "" for the same.
func (j judge) with(name string) string {
	var list []string
	for key, about := range map[string]string{"go": "", "kernel": "kernel "} {
		base, head := config(j.base, name, key), config(j.head, name, key)
		if base != "" && head != "" && base != head {
			list = append(list, about+base+" → "+head)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// config is the value of a configuration line for a benchmark.
func config(r *Results, name, key string) string {
	for _, l := range r.of[name] {
		return l.Config[key]
	}
	return ""
}

// absent are the units that head counts and base does not, and those that neither
// does, of benchmarks that have nothing but counts. allocs/op is of lines with times.
func (j judge) absent() (inBase, anywhere []Absence) {
	for _, u := range units {
		old, all := Absence{Unit: u.name}, Absence{Unit: u.name}
		for _, c := range union(j.files()) {
			name := c.Full
			base := len(j.base.values(name, u.name)) + len(j.again.values(name, u.name))
			switch {
			case !u.judged() || u.name == "allocs/op" || j.timed(name) || base > 0 || len(j.base.of[name]) == 0:
			case len(j.head.values(name, u.name)) > 0:
				old.Benchmarks++
			default:
				all.Benchmarks++
			}
		}
		inBase, anywhere = append(inBase, old), append(anywhere, all)
	}
	none := func(a Absence) bool { return a.Benchmarks == 0 }
	return slices.DeleteFunc(inBase, none), slices.DeleteFunc(anywhere, none)
}
