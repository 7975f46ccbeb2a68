package site

import (
	"fmt"
	"slices"

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

// answer is a line above all tables: a judgement with its releases.
type answer struct {
	judgement
	Links []link
	Rest  int // that are not listed
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

// answers sum up the table of releases, and say what has no step of a time.
func answers(list []release, silent []silence) (all []answer) {
	for _, j := range judgements {
		a := answer{judgement: j}
		for _, r := range list {
			if r.Verdict == a.Verdict {
				a.Links = append(a.Links, link{r.summary(), "#" + r.ID})
			}
		}
		if len(a.Links) > 0 {
			all = append(all, a)
		}
	}
	none := answer{judgement: judgement{"–", "no step of CPU or p50", ""}}
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
