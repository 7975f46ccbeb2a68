package site

import (
	"math"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// frameworkPage is a framework in the records that judge it, newest first.
type frameworkPage struct {
	head
	Name     string
	Sections []section
	Others   []link // records of releases that do not judge it
	Commits  string // the page of the records of commits, if it is in one
}

// section is a framework in a record.
type section struct {
	ID, Framework string
	Study         *study
	Releases      []release
	Silent        string
	Notes         []note
	Cases         []drawn
}

// drawn is a case with its charts.
type drawn struct {
	Name   string
	Charts []picture
	Same   []string // figures that are the same in all versions
	Still  []string // figures that are not, and have no step of their own
	Table  table
}

// picture is a chart with its steps in words.
type picture struct {
	chart
	Name  string
	Steps []found
}

// table has a row for each version.
type table struct {
	Caption string
	Head    []string
	Rows    []tableRow
}

type tableRow struct {
	Name, Link string
	Cells      []string
}

func (w *world) framework(f subject) frameworkPage {
	p := frameworkPage{head: w.head(f.Name+" over its releases", f.Page), Name: f.Name}
	for _, s := range w.studies {
		switch cases := s.of(f.Name); {
		case len(cases) == 0:
		case s.OfCommits():
			p.Commits = repositoryPage + "#" + slugOf(f.Name)
		case w.judges[framed{s, f.Name}]:
			p.Sections = append(p.Sections, s.section(strings.TrimSuffix(s.Page, ".html"), f.Name, cases))
		default:
			p.Others = append(p.Others, link{s.Title(), w.pageOf(s, f.Name)})
		}
	}
	return p
}

func (s *study) section(id, framework string, cases [][]history.Series) section {
	one := section{ID: id, Framework: framework, Study: s, Releases: s.releasesOf(framework)}
	if !s.timedStep(framework) {
		one.Silent = s.silence(framework)
	}
	one.Notes = s.notes(func(n history.Note) bool {
		return slices.Contains(s.Versions, n.Version) && slices.ContainsFunc(cases, func(list []history.Series) bool { return list[0].Name.Full == n.Case })
	})
	for _, list := range cases {
		if list = known(list); len(list) > 0 {
			one.Cases = append(one.Cases, s.drawn(list))
		}
	}
	slices.SortStableFunc(one.Cases, func(a, b drawn) int { return -compareBool(len(a.Charts) > 0, len(b.Charts) > 0) })
	return one
}

// drawn are the charts of a case, in the order of figures.
func (s *study) drawn(list []history.Series) drawn {
	d := drawn{Name: fullCase(list[0].Name), Table: s.table(list)}
	for _, one := range list {
		if len(one.Versions) > 1 {
			d.add(one.Unit, s.picture(one))
		}
	}
	return d
}

// always are the figures that are drawn even without a step.
var always = []string{history.CPU, "p50-ns", "p99-ns"}

// add takes a chart, or a sentence if nothing in it changes.
func (d *drawn) add(unit string, p picture) {
	var all []float64
	for _, one := range p.points {
		all = append(all, one.rounds...)
	}
	switch {
	case slices.Min(all) == slices.Max(all):
		d.Same = append(d.Same, p.Name+": "+p.value(all[0]))
	case len(p.Steps) > 0 && !d.told(unit) || slices.Contains(always, unit):
		d.Charts = append(d.Charts, p)
	default:
		d.Still = append(d.Still, p.Name)
	}
}

// known are the series of the units that are drawn, in their order.
func known(list []history.Series) []history.Series {
	list = slices.DeleteFunc(slices.Clone(list), func(s history.Series) bool { return rank(s.Unit) == len(figures) })
	slices.SortStableFunc(list, func(a, b history.Series) int { return rank(a.Unit) - rank(b.Unit) })
	return list
}

// told reports whether a step is that of the CPU of both sides, whose chart is the first.
func (d *drawn) told(unit string) bool {
	return (unit == "client-cpu-ns/op" || unit == "server-cpu-ns/op") && len(d.Charts) > 0 && len(d.Charts[0].Steps) > 0
}

func (s *study) picture(one history.Series) picture {
	p := picture{Name: what(one.Unit), chart: newChart(one)}
	for _, v := range one.Versions {
		p.points = append(p.points, point{name: short(v), about: short(v), link: s.raw(one.Name.Full, v), rounds: one.Of(v), joined: len(p.points) > 0})
	}
	for _, step := range s.steps {
		if step.Name.Full == one.Name.Full && step.Unit == one.Unit {
			f := s.found(step)
			p.Steps = append(p.Steps, f)
			p.marks = append(p.marks, mark{step.At, f.Version, f.Sign + " " + f.By})
		}
	}
	return p
}

// newChart is of the scale of the largest figure.
func newChart(one history.Series) chart {
	size := scaleOf(one.Unit, slices.Max(slices.Concat(one.Values...)))
	return chart{Title: what(one.Unit) + ", " + fullCase(one.Name), Unit: size.name, size: size.size}
}

// table has the medians of a case by version and figure.
func (s *study) table(list []history.Series) table {
	t := table{Caption: "Medians of " + fullCase(list[0].Name)}
	var scales []scale
	for _, one := range list {
		sc := scaleOf(one.Unit, slices.Max(slices.Concat(one.Values...)))
		scales, t.Head = append(scales, sc), append(t.Head, heading(one.Unit, sc))
	}
	for _, v := range s.shown {
		row := tableRow{Name: short(v), Link: s.raw(list[0].Name.Full, v)}
		has := false
		for i, one := range list {
			m := math.NaN()
			if values := one.Of(v); values != nil {
				m, has = pairs.Median(values), true
			}
			row.Cells = append(row.Cells, scales[i].cell(m))
		}
		if has {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
