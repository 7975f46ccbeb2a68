package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
)

// release is a version at which something moved, in one record.
type release struct {
	judgement
	ID, Framework, Version, Before, Page string
	Study                                *study
	Moves                                []found
	Rest                                 int // steps of other figures, which the framework's page has
	Also                                 string
	Notes                                []note
	timed                                bool
	largest                              float64
	version, before                      string // as the record names them
	place                                int
}

// releases returns the releases of a record: with a step of times first, then the newest, then
// the largest.
func (w *world) releases(s *study) (list []release) {
	at := map[[2]string]int{}
	for _, step := range s.steps {
		key := [2]string{frameworkOf(step.Name), step.Version()}
		i, known := at[key]
		if !known {
			i = len(list)
			at[key], list = i, append(list, w.release(s, step))
		}
		list[i].add(s, step)
	}
	for i := range list {
		list[i].finish(s)
	}
	slices.SortStableFunc(list, func(a, b release) int {
		return cmp.Or(-compareBool(a.timed, b.timed), cmp.Compare(b.place, a.place), cmp.Compare(b.largest, a.largest))
	})
	return list
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func (w *world) release(s *study, step history.Step) release {
	version, before := step.Version(), step.Versions[step.At-1]
	r := release{
		Framework: frameworkOf(step.Name), Version: s.title(version), Before: short(before), version: version, before: before,
		Study: s, Also: strings.Join(step.Also, "; "), place: slices.Index(s.Versions, version),
	}
	r.Page = w.pageOf(s, r.Framework)
	r.ID = strings.TrimSuffix(s.Page, ".html") + "-" + slugOf(r.Framework) + "-" + itoa(r.place)
	return r
}

// pageOf leads to a framework's figures in a record: on the framework's own page if the
// record is what it is judged by, and else on the record's.
func (w *world) pageOf(s *study, framework string) string {
	own := page(w.frameworks, framework)
	switch {
	case s.OfCommits():
		return repositoryPage + "#" + slugOf(framework)
	case w.judges[framed{s, framework}]:
		return own + "#" + strings.TrimSuffix(s.Page, ".html")
	}
	return s.Page + "#" + strings.TrimSuffix(own, ".html")
}

// add keeps one move of a figure: that of the case in which it is largest.
func (r *release) add(s *study, step history.Step) {
	f := s.found(step)
	r.timed, r.largest = r.timed || isTimed(f), max(r.largest, f.size)
	i := slices.IndexFunc(r.Moves, func(m found) bool { return m.What == f.What && m.Sign == f.Sign })
	if i < 0 {
		r.Moves = append(r.Moves, f)
		return
	}
	f.More = r.Moves[i].More + 1
	if r.Moves[i].More = f.More; f.size > r.Moves[i].size {
		r.Moves[i] = f
	}
}

// mostMoves is how many figures of a release an overview has.
const mostMoves = 6

// finish sorts the moves and leaves out those that say the same twice.
func (r *release) finish(s *study) {
	slices.SortStableFunc(r.Moves, func(a, b found) int { return cmp.Compare(rank(a.unit), rank(b.unit)) })
	r.judge()
	both := slices.ContainsFunc(r.Moves, func(f found) bool { return f.unit == history.CPU })
	r.Moves = slices.DeleteFunc(r.Moves, func(f found) bool {
		return both && (f.unit == "client-cpu-ns/op" || f.unit == "server-cpu-ns/op")
	})
	r.Rest = max(len(r.Moves)-mostMoves, 0)
	r.Notes = s.notes(func(n history.Note) bool {
		about := n.Version == r.version || n.Version == r.before
		return about && slices.ContainsFunc(r.Moves, func(f found) bool { return f.full == n.Case })
	})
	r.Moves = r.Moves[:len(r.Moves)-r.Rest]
}

// judge goes by times where one moved: a count is a reason for them, and no more.
func (r *release) judge() {
	worse, better := false, false
	for _, m := range r.Moves {
		if isTimed(m) == r.timed {
			worse, better = worse || m.Verdict == "worse", better || m.Verdict == "better"
		}
	}
	v := 0
	switch {
	case worse && better:
		v = 2
	case better:
		v = 1
	case !worse:
		v = 3
	}
	if !r.timed {
		v += 3
	}
	r.judgement = judgements[v]
}

// judgement says which way something moved.
type judgement struct {
	Sign, Verdict string
	Class         string // worse, better or mixed
}

// judgements are in the order in which they are told.
var judgements = []judgement{
	{"▲", "slower", "worse"},
	{"▼", "faster", "better"},
	{"◆", "slower and faster", "mixed"},
	{"▲", "costs more, by counts", "worse"},
	{"▼", "costs less, by counts", "better"},
	{"◆", "more and less, by counts", "mixed"},
	{"◆", "changed", "mixed"},
}

func isTimed(f found) bool { return history.KindOf(f.unit) == history.Timed }

// Summary is which release moved what, and by how much.
func (r release) Summary() string {
	m := r.Moves[0]
	return fmt.Sprintf("%s: %s %s", r.Version, m.What, m.By)
}

func (s *study) releasesOf(framework string) (list []release) {
	for _, r := range s.Releases {
		if r.Framework == framework {
			list = append(list, r)
		}
	}
	return list
}
