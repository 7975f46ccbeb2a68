package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchunit"
)

// rule is what is asked of head.
type rule struct {
	dedicated bool
	lines     int // of each case in each file
}

// The bounds that a time must cross to fail.
const (
	alpha    = 0.001
	leastPct = 5.0
	// fewestLines show how much a difference differs from line to line.
	fewestLines = 7
)

// timed are the units with a bound, all nanoseconds; less is better.
var timed = []string{"ns/op", "p50-ns", "client-cpu-ns/op", "server-cpu-ns/op", "cpu-ns/op"}

// What may be said of a row.
const (
	ok     = "ok"
	faster = "faster"
	slower = "slower" // fails where the machine is dedicated
	fail   = "FAIL"
)

// verdict is what is said of a row, and why.
type verdict struct{ name, status, why string }

// check refuses files to which the rule cannot be applied: a gate must be able
// to fail.
func (r *rule) check(files []*results) error {
	if err := sameMachine(files); err != nil {
		return err
	}
	most := 0
	for _, f := range files {
		for _, n := range f.lines {
			most = max(most, n)
		}
	}
	if r.lines == 0 {
		r.lines = most
	}
	if r.dedicated && r.lines < fewestLines {
		return fmt.Errorf("%d result lines of each case: -dedicated needs %d or more, fewer do not show the noise", r.lines, fewestLines)
	}
	return nil
}

// judge compares the last of the files, which is head, with the first, which
// is base; one between the two is base again.
func (r rule) judge(files []*results) (list []verdict) {
	base, head := files[0], files[len(files)-1]
	for _, name := range union(base.cases, head.cases) {
		list = append(list, judgeErrors(name, head)...)
		if base.lines[name] == 0 {
			list = append(list, verdict{name, ok, "new: not in " + base.file})
			list = append(list, r.judgeLines(name, []*results{head})...)
			continue
		}
		list = append(list, r.judgeLines(name, files)...)
		if head.lines[name] == 0 {
			continue
		}
		for _, unit := range slices.Concat(timed, base.exact) {
			list = append(list, r.judgeRow(row{name, unit}, files)...)
		}
	}
	return list
}

// judgeErrors fails a case of which calls failed, whatever base has.
func judgeErrors(name string, head *results) []verdict {
	if n := distinct(head.values[row{name, "errors"}]); len(n) > 0 && slices.Max(n) > 0 {
		return []verdict{{name, fail, fmt.Sprintf("errors %s: calls failed", n)}}
	}
	return nil
}

// judgeLines says which files have another number of a case's lines than they
// must have: benchstat says nothing of lost ones.
func (r rule) judgeLines(name string, files []*results) (list []verdict) {
	for _, f := range files {
		if f.lines[name] != r.lines {
			list = append(list, verdict{name, fail, fmt.Sprintf("%d result lines in %s, %d expected", f.lines[name], f.file, r.lines)})
		}
	}
	return list
}

// judgeRow judges a row of a unit for which there is a rule.
func (r rule) judgeRow(key row, files []*results) []verdict {
	base, again, head := files[0].values[key], []float64(nil), files[len(files)-1].values[key]
	if len(files) == 3 {
		again = files[1].values[key]
	}
	switch {
	case len(base) == 0:
		return nil
	case len(head) == 0:
		return []verdict{{key.name, fail, key.unit + ": lost"}}
	case slices.Contains(files[0].exact, key.unit):
		return []verdict{judgeExact(key, distinct(slices.Concat(base, again)), distinct(head))}
	}
	return []verdict{r.judgeTime(key, base, again, head)}
}

// judgeExact judges values of which each counts.
func judgeExact(key row, base, head values) verdict {
	for _, v := range head {
		if !slices.Contains(base, v) {
			return verdict{key.name, fail, fmt.Sprintf("%s %s: exact, and base has %s", key.unit, head, base)}
		}
	}
	return verdict{key.name, ok, fmt.Sprintf("%s %s: as in base", key.unit, head)}
}

// values are distinct and sorted.
type values []float64

func distinct(list []float64) values { return slices.Compact(slices.Sorted(slices.Values(list))) }

func (v values) String() string { return strings.Trim(fmt.Sprint([]float64(v)), "[]") }

// judgeTime judges a time by lines that were measured side by side; again are
// those of base once more, and may be none.
func (r rule) judgeTime(key row, base, again, head []float64) verdict {
	bound, by := leastPct, fmt.Sprintf("%g%%", leastPct)
	switch {
	case !paired(base, head):
		return verdict{key.name, ok, key.unit + ": not compared, for lack of pairs of times above 0"}
	case paired(base, again):
		bound, by = limit(math.Abs(compare(base, again).percent))
		base = means(base, again)
	}
	d := compare(base, head)
	status, why := slower, "worse by more than "+by
	switch {
	case !(d.p < alpha):
		status, why = ok, "no difference shown"
	case math.Abs(d.percent) <= bound:
		status, why = ok, "not more than "+by
	case d.percent < 0:
		status, why = faster, "better by more than "+by
	case r.dedicated:
		status = fail
	}
	return verdict{key.name, status, fmt.Sprintf("%s %s → %s %+.1f%% p=%.4f n=%d: %s",
		key.unit, seconds(base), seconds(head), d.percent, d.p, len(head), why)}
}

// paired reports whether two have lines to compare, one by one.
func paired(a, b []float64) bool {
	return len(a) == len(b) && slices.Min(a) > 0 && slices.Min(b) > 0
}

// limit is the difference in percent that is not noise, and how it came about.
func limit(noise float64) (bound float64, by string) {
	if 2*noise <= leastPct {
		return leastPct, fmt.Sprintf("%g%%, with an A/A of %.1f%%", leastPct, noise)
	}
	return 2 * noise, fmt.Sprintf("%.1f%%, twice the A/A of %.1f%%", 2*noise, noise)
}

// difference is that of two programs.
type difference struct {
	percent float64 // by which the second takes longer, the geometric mean of all pairs
	p       float64 // the probability of such pairs from equal programs
}

// compare takes the pairs of a and b by Student's paired test of logarithms: a
// machine that is slower for a while is so for both of a pair.
func compare(a, b []float64) difference {
	la, lb := logs(a), logs(b)
	mean := stats.Mean(lb) - stats.Mean(la)
	d := difference{percent: 100 * math.Expm1(mean)}
	test, err := stats.PairedTTest(lb, la, 0, stats.LocationDiffers)
	switch {
	case err == nil:
		d.p = test.P
	case len(a) == 1 || math.Abs(mean) < 1e-9:
		d.p = 1
	}
	return d // else all pairs differ by the same
}

func logs(list []float64) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = math.Log(v)
	}
	return out
}

// means are the geometric ones of each pair.
func means(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = math.Sqrt(a[i] * b[i])
	}
	return out
}

// seconds prints the geometric mean of nanoseconds.
func seconds(list []float64) string {
	return benchunit.Scale(stats.GeoMean(list)/1e9, benchunit.Decimal) + "s"
}
