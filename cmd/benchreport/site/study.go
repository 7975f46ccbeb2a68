package site

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/history"
)

// study is a record with what was found in it.
type study struct {
	*history.Record
	Page   string
	series []history.Series // of the versions
	beside []history.Series // of programs beside them, and of the reference
	steps  []history.Step
	cases  []string // all names, sorted
	shown  []string // all versions: those of the record, programs beside them, the reference

	forSteps   int    // rounds that it takes to find steps of times; 0 if there are none
	conditions string // what tells the record from others of its machine
}

func newStudy(r *history.Record, page string) *study {
	s := &study{Record: r, Page: page, steps: r.Steps(), forSteps: r.RoundsForSteps(), shown: slices.Clone(r.Versions)}
	for _, one := range r.Series() {
		if slices.Contains(r.Versions, one.Versions[0]) {
			s.series = append(s.series, one)
			continue
		}
		s.beside = append(s.beside, one)
		if !slices.Contains(s.shown, one.Versions[0]) {
			s.shown = append(s.shown, one.Versions[0])
		}
	}
	for _, l := range r.Lines {
		s.cases = append(s.cases, l.Full)
	}
	slices.Sort(s.cases)
	s.cases = slices.Compact(s.cases)
	return s
}

// Date is the day of the run.
func (s *study) Date() string { return s.Run.UTC().Format("2006-01-02") }

// MachineName is the name of the machine, as far as the record knows it, with what tells it
// from other records of that machine. Figures of two are in no chart together.
func (s *study) MachineName() string {
	var list []string
	for _, key := range history.MachineKeys() {
		value := s.Record.Machine[key]
		if key == "kernel" && value != "" {
			value = "kernel " + value
		}
		if value != "" {
			list = append(list, value)
		}
	}
	name := cmp.Or(strings.Join(list, ", "), "a machine without a name")
	if s.conditions != "" {
		name += ", " + s.conditions
	}
	return name
}

// processor is the machine in short.
func (s *study) processor() string { return cmp.Or(s.Machine["cpu"], s.MachineName()) }

// title is a version's name where nothing else says that it is one.
func (s *study) title(version string) string {
	if s.Kind == history.OfCommits {
		return "at this repository's commit " + short(version)
	}
	return short(version)
}

// Of is what was measured, in words.
func (s *study) Of() string {
	switch {
	case s.Kind == history.OfCommits:
		return "commits of this repository"
	case s.Module == "":
		return "releases of several modules"
	}
	return s.Module
}

// Name is the record's own name.
func (s *study) Name() string { return foreign.Line(filepath.Base(s.File)) }

// raw leads to the raw lines of a case of a version.
func (s *study) raw(full, version string) string {
	return s.Page + "#" + s.anchor(full, version)
}

func (s *study) anchor(full, version string) string {
	return "c" + itoa(slices.Index(s.cases, full)) + "v" + itoa(slices.Index(s.shown, version))
}

// frameworksOf are the frameworks of the record's versions.
func (s *study) frameworksOf() []string {
	known := map[string]bool{}
	for _, one := range s.series {
		known[frameworkOf(one.Name)] = true
	}
	return sortedKeys(known)
}

// of are the series of a framework, by case in their order.
func (s *study) of(framework string) (cases [][]history.Series) {
	for _, one := range s.series {
		if frameworkOf(one.Name) != framework {
			continue
		}
		if n := len(cases); n > 0 && cases[n-1][0].Name.Full == one.Name.Full {
			cases[n-1] = append(cases[n-1], one)
		} else {
			cases = append(cases, []history.Series{one})
		}
	}
	return cases
}

// unitOf returns the series of a unit; false if no series has the unit.
func unitOf(list []history.Series, unit string) (history.Series, bool) {
	i := slices.IndexFunc(list, func(s history.Series) bool { return s.Unit == unit })
	if i < 0 {
		return history.Series{}, false
	}
	return list[i], true
}
