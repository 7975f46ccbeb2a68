package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
)

// overview is the first page.
type overview struct {
	head
	Newest   string // date
	Counts   string // of records and machines
	Short    []answer
	Releases []release
	Silent   []silence
	Now      []newest
	Records  []row
	Refused  []refused
	Left     []history.Left
}

// answer is a line above all tables: a verdict with its releases.
type answer struct {
	Sign, Verdict string
	Links         []link
}

// release is a version at which something moved, in one record.
type release struct {
	ID, Framework, Version, Before, Page string
	Verdict, Sign                        string // worse, better, or both
	Study                                *study
	Moves                                []found
	Rest                                 int // steps of other figures, which the framework's page has
	Also                                 string
	Notes                                []note
	Doubts                               []string
	timed                                bool
	largest                              float64
	place                                int
}

// silence is that nothing was found.
type silence struct {
	Framework, Page, Text string
	Study                 *study
}

type row struct {
	*study
	Complete string
	Notes    []string
}

type refused struct {
	history.Refusal
	Study *study
}

func (w *world) overview() overview {
	o := overview{head: w.head("RPC frameworks over their releases", "index.html"), Newest: w.studies[0].Date(), Left: w.left}
	machines := map[string]bool{}
	for _, s := range w.studies {
		machines[s.MachineName()] = true
		o.Releases = append(o.Releases, w.releases(s)...)
		o.Silent = append(o.Silent, w.silent(s)...)
		o.Records = append(o.Records, row{s, fmt.Sprintf("%d of %d", s.Done, s.Rounds), s.doubts(w.studies)})
		for _, r := range s.Refused {
			o.Refused = append(o.Refused, refused{r, s})
		}
	}
	o.Counts = counted(len(w.studies), "record") + " on " + counted(len(machines), "machine")
	o.Now, o.Short = w.newest(), answers(o.Releases)
	return o
}

// releases are those of a record: those with a step of times first, then the newest, then
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
		list[i].finish(s, w.studies)
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
	r := release{
		Framework: frameworkOf(step.Name), Version: short(step.Version()), Before: short(step.Versions[step.At-1]),
		Study: s, Also: strings.Join(step.Also, "; "), place: slices.Index(s.Versions, step.Version()),
	}
	r.Page = w.pageOf(s, r.Framework)
	r.ID = strings.TrimSuffix(s.Page, ".html") + "-" + slugOf(r.Framework) + "-" + itoa(r.place)
	return r
}

// pageOf leads to a framework's figures in a record.
func (w *world) pageOf(s *study, framework string) string {
	if s.Kind == history.OfCommits {
		return repositoryPage + "#" + slugOf(framework)
	}
	return page(w.frameworks, framework) + "#" + strings.TrimSuffix(s.Page, ".html")
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
func (r *release) finish(s *study, all []*study) {
	slices.SortStableFunc(r.Moves, func(a, b found) int { return cmp.Compare(rank(a.unit), rank(b.unit)) })
	r.Verdict, r.Sign = verdictOf(r.Moves)
	both := slices.ContainsFunc(r.Moves, func(f found) bool { return f.unit == history.CPU })
	r.Moves = slices.DeleteFunc(r.Moves, func(f found) bool {
		return both && (f.unit == "client-cpu-ns/op" || f.unit == "server-cpu-ns/op")
	})
	r.Rest = max(len(r.Moves)-mostMoves, 0)
	r.Notes = s.notes(func(n history.Note) bool {
		about := short(n.Version) == r.Version || short(n.Version) == r.Before
		return about && slices.ContainsFunc(r.Moves, func(f found) bool { return f.full == n.Case })
	})
	r.Doubts = s.doubts(all)
	r.Moves = r.Moves[:len(r.Moves)-r.Rest]
}

// verdictOf goes by times where one moved: a count is a reason for them, and no more.
func verdictOf(moves []found) (verdict, sign string) {
	worse, better := false, false
	timed := slices.ContainsFunc(moves, isTimed)
	for _, m := range moves {
		if timed && !isTimed(m) {
			continue
		}
		worse, better = worse || m.Verdict == "worse", better || m.Verdict == "better"
	}
	switch {
	case worse && better:
		return "mixed", "◆"
	case worse && timed:
		return "slower", "▲"
	case better && timed:
		return "faster", "▼"
	case worse:
		return "counts more", "▲"
	case better:
		return "counts less", "▼"
	}
	return "changed", "◆"
}

func isTimed(f found) bool { return history.KindOf(f.unit) == history.Timed }

// answers sum up the table of releases.
func answers(list []release) (all []answer) {
	for _, a := range []answer{
		{"▲", "slower", nil},
		{"▼", "faster", nil},
		{"◆", "mixed", nil},
		{"▲", "counts more", nil},
		{"▼", "counts less", nil},
		{"◆", "changed", nil},
	} {
		for _, r := range list {
			if r.Verdict == a.Verdict {
				a.Links = append(a.Links, link{r.Framework + " " + r.Version + " (" + r.Moves[0].What + " " + r.Moves[0].By + ")", "#" + r.ID})
			}
		}
		if len(a.Links) > 0 {
			all = append(all, a)
		}
	}
	return all
}

// silent says of each framework of a record in which no step of a time was found how small
// it would have been.
func (w *world) silent(s *study) (list []silence) {
	for _, f := range s.frameworksOf() {
		found := slices.ContainsFunc(s.steps, func(step history.Step) bool {
			return frameworkOf(step.Name) == f && history.KindOf(step.Unit) == history.Timed
		})
		if !found {
			list = append(list, silence{f, w.pageOf(s, f), s.silence(f), s})
		}
	}
	return list
}

func (s *study) silence(framework string) string {
	switch takes, size := s.takes(), s.visible(framework); {
	case s.alone(framework):
		return "One version alone: there is nothing to compare it with."
	case takes == 0:
		return "No time was measured; counts were compared."
	case s.Done < takes:
		return fmt.Sprintf("No step of a time could be found: it takes %d rounds, and %d are complete. Counts were compared.", takes, s.Done)
	case size == "":
		return "No step of a time was found. With so few rounds, no size can be named that would have been."
	default:
		return fmt.Sprintf("No step of a time was found. A change of CPU by about %s would have been in 4 of 5 such records.", size)
	}
}

// alone reports whether a framework was measured in one version.
func (s *study) alone(framework string) bool {
	return !slices.ContainsFunc(s.of(framework), func(list []history.Series) bool { return len(list[0].Versions) > 1 })
}

// newest is a framework's newest release on a machine, case by case.
type newest struct {
	Framework, Page, Version, Before string
	Study                            *study
	Cases                            []against
}

// against is a case of the newest release beside the one before.
type against struct {
	Case, Raw string
	Cells     []string
}

// headline are the figures of the newest releases, of which the first that a case has counts.
var headline = [][]string{
	{history.CPU},
	{"p50-ns"},
	{"calls/s"},
	{"allocs/op", "client-allocs/op"},
	{"server-allocs/op"},
	{"binary-B"},
}

// Headline are the columns.
func (overview) Headline() (list []string) {
	for _, units := range headline {
		list = append(list, what(units[0]))
	}
	return list
}

// newest takes of each framework and machine the newest record with two releases.
func (w *world) newest() (list []newest) {
	known := map[string]bool{}
	for _, s := range w.studies {
		for _, f := range s.frameworksOf() {
			key := f + "\n" + s.MachineName() + s.Kind
			if known[key] || s.alone(f) {
				continue
			}
			known[key] = true
			list = append(list, w.newestOf(s, f))
		}
	}
	slices.SortStableFunc(list, func(a, b newest) int { return cmp.Compare(a.Framework, b.Framework) })
	return list
}

func (w *world) newestOf(s *study, framework string) newest {
	n := newest{Framework: framework, Page: w.pageOf(s, framework), Study: s}
	for _, list := range s.of(framework) {
		one := list[0]
		if len(one.Versions) < 2 {
			continue
		}
		last, before := one.Versions[len(one.Versions)-1], one.Versions[len(one.Versions)-2]
		n.Version, n.Before = short(last), short(before)
		if a := (against{fullCase(one.Name), s.raw(one.Name.Full, last), cells(list)}); !empty(a.Cells) {
			n.Cases = append(n.Cases, a)
		}
	}
	return n
}

func empty(cells []string) bool {
	return !slices.ContainsFunc(cells, func(c string) bool { return c != "" })
}

func cells(list []history.Series) (cells []string) {
	for _, units := range headline {
		text := ""
		for _, unit := range units {
			if one, has := unitOf(list, unit); has && len(one.Versions) > 1 {
				last := len(one.Versions) - 1
				text = shown(unit, median(one.Of(one.Versions[last]))) + ", " + compared(pair(one, last-1, last))
			}
		}
		cells = append(cells, text)
	}
	return cells
}
