package site

import (
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// overview is the first page.
type overview struct {
	head
	Newest  string // date
	Counts  string // of records and machines
	Answers []answers
	Steps   []*study // that judge, and have steps
	Now     []newest
	Records []*study
	Refused []refused
	Left    []history.Left
}

type refused struct {
	history.Refusal
	Study *study
}

func (w *world) overview() overview {
	o := overview{head: w.head("RPC frameworks over their releases", "index.html"), Newest: w.studies[0].Date(), Records: w.studies, Left: w.left}
	machines := map[string]bool{}
	for _, s := range w.studies {
		machines[s.machine()] = true
		if len(s.Releases) > 0 && slices.ContainsFunc(s.frameworksOf(), func(f string) bool { return w.judges[framed{s, f}] }) {
			o.Steps = append(o.Steps, s)
		}
		for _, r := range s.Refused {
			o.Refused = append(o.Refused, refused{r, s})
		}
	}
	o.Counts = amount(len(w.studies), "record") + " on " + amount(len(machines), "machine")
	o.Answers, o.Now = w.answers(), w.newest()
	return o
}

// newest is a framework's newest release on a machine, case by case.
type newest struct {
	judged
	Page, Version, Before string
	Cases                 []against
}

// against is a case of the newest release beside the one before.
type against struct {
	Case, Raw string
	Cells     [][2]string // a figure, and how far it is from the one before
}

// headline lists the figures of the newest releases. A case has one unit of each list.
var headline = [][]string{{history.CPU}, {"p50-ns"}, {"calls/s"}, {"allocs/op", "client-allocs/op"}, {"server-allocs/op"}, {"binary-B"}}

// Headline are the columns.
func (overview) Headline() (list []string) {
	for _, units := range headline {
		list = append(list, what(units[0]))
	}
	return list
}

// newest are the frameworks whose records have two releases.
func (w *world) newest() (list []newest) {
	for _, j := range w.judged {
		if !j.Study.alone(j.Framework) {
			list = append(list, w.newestOf(j))
		}
	}
	return list
}

func (w *world) newestOf(j judged) newest {
	n := newest{judged: j, Page: w.pageOf(j.Study, j.Framework)}
	for _, list := range j.Study.of(j.Framework) {
		one := list[0]
		if len(one.Versions) < 2 {
			continue
		}
		last, before := one.Versions[len(one.Versions)-1], one.Versions[len(one.Versions)-2]
		n.Version, n.Before = short(last), short(before)
		if a := (against{fullCase(one.Name), j.Study.raw(one.Name.Full, last), cells(list)}); !empty(a.Cells) {
			n.Cases = append(n.Cases, a)
		}
	}
	return n
}

func empty(cells [][2]string) bool {
	return !slices.ContainsFunc(cells, func(c [2]string) bool { return c[0] != "" })
}

func cells(list []history.Series) (cells [][2]string) {
	for _, units := range headline {
		cell := [2]string{}
		for _, unit := range units {
			if one, has := unitOf(list, unit); has && len(one.Versions) > 1 {
				last := len(one.Versions) - 1
				cell = [2]string{shown(unit, pairs.Median(one.Of(one.Versions[last]))), compared(pair(one, last-1, last))}
			}
		}
		cells = append(cells, cell)
	}
	return cells
}
