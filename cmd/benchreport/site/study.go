package site

import (
	"cmp"
	"fmt"
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

	Releases []release // at which something moved
	Doubts   []string  // what to know of the record

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

// machine is the name of the machine, as far as the record knows it.
func (s *study) machine() string {
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
	return cmp.Or(strings.Join(list, ", "), "a machine without a name")
}

// MachineName is the machine with what tells the record from others of it. Figures of two
// are in no chart together.
func (s *study) MachineName() string {
	if s.conditions != "" {
		return s.machine() + ", " + s.conditions
	}
	return s.machine()
}

// title is a version's name where nothing else says that it is one.
func (s *study) title(version string) string {
	if s.OfCommits() {
		return "at this repository's commit " + short(version)
	}
	return short(version)
}

// Of is what was measured, in words.
func (s *study) Of() string {
	switch {
	case s.OfCommits():
		return "commits of this repository"
	case s.Module == "":
		return "releases of several modules"
	}
	return s.Module
}

// OfCommits reports whether the record is of commits of this repository.
func (s *study) OfCommits() bool { return s.Kind == history.OfCommits }

// Span is what versions there are.
func (s *study) Span() string {
	n := len(s.Versions)
	switch {
	case n == 1:
		return short(s.Versions[0])
	case s.Module == "" && n > 2:
		return amount(n, "version")
	}
	return fmt.Sprintf("%d versions, %s to %s", n, short(s.Versions[0]), short(s.Versions[n-1]))
}

// Title has what tells records apart.
func (s *study) Title() string { return s.Date() + ": " + s.Of() + ", " + s.Complete() + " rounds" }

// Complete says how many rounds are.
func (s *study) Complete() string { return itoa(s.Done) + " of " + itoa(s.Rounds) }

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
