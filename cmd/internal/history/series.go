package history

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Series is a unit of a case, in every round and of every version that has it.
type Series struct {
	Name lines.Name
	Unit string
	// Versions has the versions of the record, oldest first. The reference, and each
	// program beside the versions, has a series with its name alone.
	Versions []string
	Values   [][]float64 // by round and version
	// Dropped is the number of rounds that are left out since a version lacks the case,
	// and Lacking are versions that have it in fewer than four rounds of five.
	Dropped int
	Lacking []string
}

// CPU is the unit of the CPU time of both sides together, which no program prints.
const CPU = "cpu-ns/op"

// Kind is how the steps of a unit are found.
type Kind int

// The kinds of units.
const (
	Shown   Kind = iota // no steps are looked for
	Timed               // differs from round to round: a test finds its steps
	Counted             // is the same on any machine, or nearly
)

// KindOf says how steps of a unit are found.
func KindOf(unit string) Kind {
	switch unit {
	case CPU, "client-cpu-ns/op", "server-cpu-ns/op", "p50-ns":
		return Timed
	case "binary-B", "modules", "conns":
		return Counted
	case "ns/op", "client-other-syscalls/op", "server-other-syscalls/op", "client-switches/op", "server-switches/op":
		return Shown // the last four grow with the time that a side waits
	}
	if strings.HasSuffix(unit, "/op") && !strings.HasSuffix(unit, "-ns/op") {
		return Counted
	}
	return Shown
}

// Series returns all series of the record: those of its versions, then those of programs
// beside them, and those of the reference; in each by case and unit.
func (r *Record) Series() (all []Series) {
	for _, group := range r.groups() {
		cases, of := byCase(r.of(group))
		for _, name := range cases {
			all = append(all, seriesOf(of[name], group)...)
		}
	}
	return all
}

// of are the lines of a group, with the CPU time of both sides.
func (r *Record) of(group []string) (own []lines.Line) {
	for _, l := range r.Lines {
		if slices.Contains(group, l.Config["version"]) {
			l.Values = valuesOf(l)
			own = append(own, l)
		}
	}
	return own
}

// groups are the names that are compared with each other.
func (r *Record) groups() [][]string {
	var beside []string
	for _, l := range r.Lines {
		v := l.Config["version"]
		if v != Reference && !slices.Contains(r.Versions, v) && !slices.Contains(beside, v) {
			beside = append(beside, v)
		}
	}
	groups := [][]string{r.Versions}
	for _, v := range append(slices.Sorted(slices.Values(beside)), Reference) {
		groups = append(groups, []string{v})
	}
	return groups
}

// seriesOf returns the series of a case.
func seriesOf(list []lines.Line, group []string) (all []Series) {
	units := map[string]bool{}
	for _, l := range list {
		for unit := range l.Values {
			units[unit] = true
		}
	}
	for _, unit := range slices.Sorted(maps.Keys(units)) {
		s := tableOf(list, unit).series(group)
		s.Name, s.Unit = list[0].Name, unit
		if len(s.Values) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// valuesOf are the values of a line with the CPU time of both sides.
func valuesOf(l lines.Line) map[string]float64 {
	client, isClient := l.Values["client-cpu-ns/op"]
	server, isServer := l.Values["server-cpu-ns/op"]
	if _, known := l.Values[CPU]; known || !isClient || !isServer {
		return l.Values
	}
	all := maps.Clone(l.Values)
	all[CPU] = client + server
	return all
}

// table has the values of one unit, by round and version.
type table map[int]map[string]float64

// tableOf has the mean where a process has several lines of the case.
func tableOf(list []lines.Line, unit string) table {
	t, n := table{}, map[int]map[string]float64{}
	for _, l := range list {
		value, has := l.Values[unit]
		if !has {
			continue
		}
		round, _ := strconv.Atoi(l.Config["round"]) // Read has checked it
		if t[round] == nil {
			t[round], n[round] = map[string]float64{}, map[string]float64{}
		}
		v := l.Config["version"]
		n[round][v]++
		t[round][v] += (value - t[round][v]) / n[round][v]
	}
	return t
}

// series leaves out versions that lack the case too often, and then rounds in which one
// lacks it.
func (t table) series(group []string) (s Series) {
	for _, v := range group {
		has := 0
		for _, values := range t {
			if _, there := values[v]; there {
				has++
			}
		}
		switch {
		case has > 0 && 5*has >= 4*len(t):
			s.Versions = append(s.Versions, v)
		case has > 0:
			s.Lacking = append(s.Lacking, v)
		}
	}
	for _, round := range slices.Sorted(maps.Keys(t)) {
		if row := t.row(round, s.Versions); len(row) == len(s.Versions) && len(row) > 0 {
			s.Values = append(s.Values, row)
		} else {
			s.Dropped++
		}
	}
	return s
}

func (t table) row(round int, versions []string) (row []float64) {
	for _, v := range versions {
		if value, has := t[round][v]; has {
			row = append(row, value)
		}
	}
	return row
}

// Of returns the values of a version, by round; nil if the series does not have it.
func (s Series) Of(version string) (values []float64) {
	i := slices.Index(s.Versions, version)
	if i < 0 {
		return nil
	}
	for _, row := range s.Values {
		values = append(values, row[i])
	}
	return values
}
