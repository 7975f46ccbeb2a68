package site

import (
	"math"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// frameworkPage is a framework in all records of releases, newest first.
type frameworkPage struct {
	head
	Name     string
	Sections []section
	Commits  string // the page of the records of commits, if it is in one
}

// section is a framework in a record.
type section struct {
	ID       string
	Study    *study
	Releases []release
	Steps    []found // all of them
	Silent   string
	Doubts   []string
	Notes    []note
	Cases    []drawn
}

// drawn is a case with its charts.
type drawn struct {
	Name   string
	Charts []picture
	Same   []string // figures that are the same in all versions
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
		case s.Kind == history.OfCommits:
			p.Commits = repositoryPage + "#" + slugOf(f.Name)
		default:
			p.Sections = append(p.Sections, w.section(s, f.Name, cases))
		}
	}
	return p
}

func (w *world) section(s *study, framework string, cases [][]history.Series) section {
	one := section{ID: strings.TrimSuffix(s.Page, ".html"), Study: s, Doubts: append(s.doubts(), s.moved(w.studies)...)}
	one.Releases = slices.DeleteFunc(w.releases(s), func(r release) bool { return r.Framework != framework })
	if !s.timedStep(framework) {
		one.Silent, _ = s.silence(framework)
	}
	for _, step := range slices.Backward(s.steps) {
		if frameworkOf(step.Name) == framework {
			one.Steps = append(one.Steps, s.found(step))
		}
	}
	slices.SortStableFunc(one.Steps, func(a, b found) int { return rank(a.unit) - rank(b.unit) })
	one.Notes = s.notes(func(n history.Note) bool {
		return slices.Contains(s.Versions, n.Version) && slices.ContainsFunc(cases, func(list []history.Series) bool { return list[0].Name.Full == n.Case })
	})
	for _, list := range cases {
		one.Cases = append(one.Cases, s.drawn(list))
	}
	return one
}

// drawn are the charts of a case, in the order of figures.
func (s *study) drawn(list []history.Series) drawn {
	list = known(list)
	d := drawn{}
	if len(list) == 0 {
		return d
	}
	d.Name, d.Table = fullCase(list[0].Name), s.table(list)
	for _, one := range list {
		switch v := slices.Concat(one.Values...); {
		case len(one.Versions) < 2:
		case slices.Min(v) == slices.Max(v):
			d.Same = append(d.Same, what(one.Unit)+": "+shown(one.Unit, v[0]))
		default:
			d.Charts = append(d.Charts, s.picture(one))
		}
	}
	return d
}

// known are the series of the units that are drawn, in their order.
func known(list []history.Series) []history.Series {
	list = slices.DeleteFunc(slices.Clone(list), func(s history.Series) bool { return rank(s.Unit) == len(figures) })
	slices.SortStableFunc(list, func(a, b history.Series) int { return rank(a.Unit) - rank(b.Unit) })
	return list
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
