package site

import (
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
)

// answers has a row for each framework that was measured on a machine.
type answers struct {
	Machine string
	Rows    []answer
}

// answer is what a reader asks first of a framework: which releases changed its times, and
// which its counts.
type answer struct {
	judged
	Page          string
	Times, Counts moved
	Silent        string // in place of Times
}

// moved leads to releases.
type moved struct {
	List []release
	Rest int // that are not listed
}

// mostMoved is how many releases a cell of an answer has.
const mostMoved = 3

func (m *moved) add(r release) {
	if len(m.List) == mostMoved {
		m.Rest++
		return
	}
	m.List = append(m.List, r)
}

// answers are by machine.
func (w *world) answers() (list []answers) {
	for _, j := range w.judged {
		i := slices.IndexFunc(list, func(a answers) bool { return a.Machine == j.Study.machine() })
		if i < 0 {
			i, list = len(list), append(list, answers{Machine: j.Study.machine()})
		}
		list[i].Rows = append(list[i].Rows, w.answer(j))
	}
	return list
}

func (w *world) answer(j judged) answer {
	a := answer{judged: j, Page: w.pageOf(j.Study, j.Framework)}
	for _, r := range j.Study.releasesOf(j.Framework) {
		if r.timed {
			a.Times.add(r)
		} else {
			a.Counts.add(r)
		}
	}
	if len(a.Times.List) == 0 {
		a.Silent = j.Study.silence(j.Framework)
	}
	return a
}

// framed is a framework in a record.
type framed struct {
	study     *study
	framework string
}

// judged is the record that a framework is judged by.
type judged struct {
	Framework string
	Study     *study
	Short     []*study // newer ones, with too few rounds
}

// judge takes of each framework, machine and kind the newest record that suffices to find
// steps of times, for each way in which the machine was set up. Without one it takes the
// newest.
func (w *world) judge() {
	of := map[[3]string][]*study{}
	var keys [][3]string
	for _, s := range w.studies { // newest first
		for _, f := range s.frameworksOf() {
			key := [3]string{f, s.machine(), s.Kind}
			if of[key] == nil {
				keys = append(keys, key)
			}
			of[key] = append(of[key], s)
		}
	}
	slices.SortStableFunc(keys, func(a, b [3]string) int { return slices.Compare(a[:1], b[:1]) })
	for _, key := range keys {
		w.judged = append(w.judged, judge(key[0], of[key])...)
	}
	w.judges = map[framed]bool{}
	for _, j := range w.judged {
		w.judges[framed{j.Study, j.Framework}] = true
	}
}

func judge(framework string, studies []*study) (list []judged) {
	var short []*study
	known := map[string]bool{}
	for _, s := range studies {
		switch {
		case s.alone(framework):
		case !s.enough():
			short = append(short, s)
		case s.takes() > 0 && !known[s.conditions]:
			known[s.conditions], list = true, append(list, judged{framework, s, slices.Clone(short)})
		}
	}
	if len(list) == 0 {
		return []judged{{Framework: framework, Study: studies[0]}}
	}
	return list
}

// Passed says which newer records do not count.
func (j judged) Passed() string {
	switch n := len(j.Short); n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("a newer one of %s is too short", amount(j.Short[0].Done, "round"))
	default:
		return fmt.Sprintf("%d newer ones are too short", n)
	}
}

func (s *study) timedStep(framework string) bool {
	return slices.ContainsFunc(s.steps, func(step history.Step) bool {
		return frameworkOf(step.Name) == framework && history.KindOf(step.Unit) == history.Timed
	})
}

// silence is why no step of a time was found.
func (s *study) silence(framework string) string {
	switch takes, size := s.takes(), s.visible(framework); {
	case s.alone(framework):
		return "one version alone"
	case takes == 0:
		return "no time was measured"
	case !s.enough():
		return fmt.Sprintf("too few rounds to tell: it takes %d", takes)
	case size == "":
		return "no step; with so few rounds, no size can be named that would have been found"
	default:
		return "no step; a change of CPU by " + size + " would be found in 4 of 5 such records"
	}
}

// alone reports whether a framework was measured in one version.
func (s *study) alone(framework string) bool {
	return !slices.ContainsFunc(s.of(framework), func(list []history.Series) bool { return len(list[0].Versions) > 1 })
}
