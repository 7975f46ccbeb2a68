package site

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
)

// silence is that nothing was found.
type silence struct {
	Framework, Page, Text, Short string
	Study                        *study
}

// silent says of each framework in whose newest record on a machine no step of a time was
// found how small it would have been.
func (w *world) silent() (list []silence) {
	for _, n := range w.last() {
		if !n.study.timedStep(n.framework) {
			text, short := n.study.silence(n.framework)
			list = append(list, silence{n.framework, w.pageOf(n.study, n.framework), text, short, n.study})
		}
	}
	return list
}

func (s *study) timedStep(framework string) bool {
	return slices.ContainsFunc(s.steps, func(step history.Step) bool {
		return frameworkOf(step.Name) == framework && history.KindOf(step.Unit) == history.Timed
	})
}

// newestRecord is the newest of a framework on a machine, and of a kind.
type newestRecord struct {
	framework string
	study     *study
}

func (w *world) last() (list []newestRecord) {
	known := map[string]bool{}
	for _, s := range w.studies {
		for _, f := range s.frameworksOf() {
			if key := f + "\n" + s.MachineName() + "\n" + s.Kind; !known[key] {
				known[key], list = true, append(list, newestRecord{f, s})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b newestRecord) int { return cmp.Compare(a.framework, b.framework) })
	return list
}

// silence is why no step of a time was found, in full and in a few words.
func (s *study) silence(framework string) (text, short string) {
	switch takes, size := s.takes(), s.visible(framework); {
	case s.alone(framework):
		return "One version alone: there is nothing to compare it with.", "one version alone"
	case takes == 0:
		return "No time was measured; counts were compared.", "no time was measured"
	case s.Done < takes:
		return fmt.Sprintf("No step of CPU or p50 could be found: it takes %d rounds, and %d are complete. Counts were compared.", takes, s.Done), "too few rounds to tell"
	case size == "":
		return "No step of CPU or p50 was found. With so few rounds, no size can be named that would have been.", "few rounds"
	default:
		return fmt.Sprintf("No step of CPU or p50 was found. A change of CPU by about %s would have been in 4 of 5 such records.", size), "none found; " + size + " would be in 4 of 5 records"
	}
}

// alone reports whether a framework was measured in one version.
func (s *study) alone(framework string) bool {
	return !slices.ContainsFunc(s.of(framework), func(list []history.Series) bool { return len(list[0].Versions) > 1 })
}
