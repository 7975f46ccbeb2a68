package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// overview is the first page.
type overview struct {
	head
	Newest  string // date
	Counts  string // of records and machines
	Short   []answer
	Timed   []release // with a step of a time
	Counted []release // with others alone
	Silent  []silence
	Now     []newest
	Records []row
	Refused []refused
	Left    []history.Left
}

// answer is a line above all tables: a verdict with its releases.
type answer struct {
	Sign, Verdict, Class string
	Links                []link
	Rest                 int // that are not listed
}

// release is a version at which something moved, in one record.
type release struct {
	ID, Framework, Version, Before, Page string
	Verdict, Sign                        string
	Class                                string // worse, better or mixed
	Study                                *study
	Moves                                []found
	Rest                                 int // steps of other figures, which the framework's page has
	Also                                 string
	Notes                                []note
	Doubts                               []string
	timed                                bool
	largest                              float64
	version, before                      string // as the record names them
	place                                int
}

// silence is that nothing was found.
type silence struct {
	Framework, Page, Text, Short string
	Study                        *study
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
		for _, r := range w.releases(s) {
			if r.timed {
				o.Timed = append(o.Timed, r)
			} else {
				o.Counted = append(o.Counted, r)
			}
		}
		o.Records = append(o.Records, w.row(s))
		for _, r := range s.Refused {
			o.Refused = append(o.Refused, refused{r, s})
		}
	}
	o.Counts = amount(len(w.studies), "record") + " on " + amount(len(machines), "machine")
	o.Silent = w.silent()
	o.Now, o.Short = w.newest(), answers(slices.Concat(o.Timed, o.Counted), o.Silent)
	return o
}

func (w *world) row(s *study) row {
	return row{s, fmt.Sprintf("%d of %d", s.Done, s.Rounds), slices.Concat(s.few(), s.doubts(), s.moved(w.studies))}
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
	version, before := step.Version(), step.Versions[step.At-1]
	r := release{
		Framework: frameworkOf(step.Name), Version: s.title(version), Before: short(before), version: version, before: before,
		Study: s, Also: strings.Join(step.Also, "; "), place: slices.Index(s.Versions, version),
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
	if r.Doubts = append(s.few(), s.doubts()...); r.timed {
		r.Doubts = append(r.Doubts, s.moved(all)...)
	}
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
	r.Sign, r.Verdict, r.Class = verdicts[v].Sign, verdicts[v].Verdict, verdicts[v].Class
}

// verdicts are in the order in which they are told.
var verdicts = []answer{
	{"▲", "slower", "worse", nil, 0},
	{"▼", "faster", "better", nil, 0},
	{"◆", "slower and faster", "mixed", nil, 0},
	{"▲", "costs more, by counts", "worse", nil, 0},
	{"▼", "costs less, by counts", "better", nil, 0},
	{"◆", "more and less, by counts", "mixed", nil, 0},
	{"◆", "changed", "mixed", nil, 0},
}

func isTimed(f found) bool { return history.KindOf(f.unit) == history.Timed }

// answers sum up the table of releases, and say what has no step of a time.
func answers(list []release, silent []silence) (all []answer) {
	for _, a := range verdicts {
		for _, r := range list {
			if r.Verdict == a.Verdict {
				a.Links = append(a.Links, link{r.summary(), "#" + r.ID})
			}
		}
		if len(a.Links) > 0 {
			all = append(all, a)
		}
	}
	none := answer{"–", "no step of CPU or p50", "", nil, 0}
	for _, s := range silent {
		none.Links = append(none.Links, link{fmt.Sprintf("%s: %s (%s, %s)", s.Framework, s.Short, s.Study.Date(), s.Study.processor()), s.Page})
	}
	if len(none.Links) > 0 {
		all = append(all, none)
	}
	for i := range all {
		all[i].cut()
	}
	return all
}

// mostLinks is how many links a line of answers has.
const mostLinks = 8

func (a *answer) cut() {
	a.Rest = max(len(a.Links)-mostLinks, 0)
	a.Links = a.Links[:len(a.Links)-a.Rest]
}

// summary has what a reader asks first: which, what, by how much, when and where.
func (r release) summary() string {
	m := r.Moves[0]
	return fmt.Sprintf("%s %s: %s %s (%s, %s)", r.Framework, r.Version, m.What, m.By, r.Study.Date(), r.Study.processor())
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

// headline lists the figures of the newest releases. A case has one unit of each list.
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

// newest takes of each framework and machine the newest record, if it has two releases.
func (w *world) newest() (list []newest) {
	for _, n := range w.last() {
		if !n.study.alone(n.framework) {
			list = append(list, w.newestOf(n.study, n.framework))
		}
	}
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
				text = shown(unit, pairs.Median(one.Of(one.Versions[last]))) + ", " + compared(pair(one, last-1, last))
			}
		}
		cells = append(cells, text)
	}
	return cells
}
