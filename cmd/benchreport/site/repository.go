package site

import (
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
)

// repositoryPageData is this repository, by machine, over the dates of its records.
type repositoryPageData struct {
	head
	Machines []overDates
}

type overDates struct {
	Name       string
	Frameworks []dated
	Reference  []picture
	Records    []*study // newest first
}

type dated struct {
	Name, ID string
	Cases    []drawn
	Releases []release
}

func (w *world) repository() repositoryPageData {
	p := repositoryPageData{head: w.head("This repository over its commits", repositoryPage)}
	ids := slugs{}
	for _, list := range w.commits() {
		m := overDates{Name: list[0].MachineName()}
		for _, f := range frameworksIn(list) {
			id := ids.unique(slugOf(f))
			m.Frameworks = append(m.Frameworks, dated{f, id, casesOver(list, f), releasesOver(list, f)})
		}
		m.Reference = referenceOver(list)
		m.Records = slices.Clone(list)
		slices.Reverse(m.Records)
		p.Machines = append(p.Machines, m)
	}
	return p
}

// commits are the records of commits, by machine, oldest first.
func (w *world) commits() (machines [][]*study) {
	for _, s := range slices.Backward(w.studies) {
		if !s.OfCommits() {
			continue
		}
		i := slices.IndexFunc(machines, func(list []*study) bool { return list[0].MachineName() == s.MachineName() })
		if i < 0 {
			machines = append(machines, []*study{s})
		} else {
			machines[i] = append(machines[i], s)
		}
	}
	return machines
}

func frameworksIn(list []*study) []string {
	known := map[string]bool{}
	for _, s := range list {
		for _, f := range s.frameworksOf() {
			known[f] = true
		}
	}
	return sortedKeys(known)
}

// releasesOver are the commits at which something moved, newest first.
func releasesOver(list []*study, framework string) (all []release) {
	for _, s := range slices.Backward(list) {
		all = append(all, s.releasesOf(framework)...)
	}
	return all
}

// casesOver are the cases of a framework over all records.
func casesOver(list []*study, framework string) (cases []drawn) {
	all := map[string]bool{}
	for _, s := range list {
		for _, one := range s.series {
			if frameworkOf(one.Name) == framework {
				all[one.Name.Full] = true
			}
		}
	}
	for _, full := range sortedKeys(all) {
		var d drawn
		for _, f := range figures {
			if p, has := over(list, full, f[0], func(s *study) []history.Series { return s.series }); has {
				d.Name = p.Title[len(p.Name)+2:]
				d.add(f[0], p)
			}
		}
		if d.Name != "" {
			cases = append(cases, d)
		}
	}
	return cases
}

func referenceOver(list []*study) (pictures []picture) {
	all := map[string]bool{}
	for _, s := range list {
		for full := range s.reference() {
			all[full] = true
		}
	}
	for _, full := range sortedKeys(all) {
		if p, has := over(list, full, history.CPU, func(s *study) []history.Series { return s.beside }); has {
			p.Name = p.Title
			pictures = append(pictures, p)
		}
	}
	return pictures
}

// over is a chart of a figure over the dates of records. Commits of one record are joined,
// for they were measured side by side; those of two are not.
func over(list []*study, full, unit string, of func(*study) []history.Series) (p picture, has bool) {
	largest := 0.0
	for n, s := range list {
		i := slices.IndexFunc(of(s), func(one history.Series) bool { return one.Name.Full == full && one.Unit == unit })
		if i < 0 {
			continue
		}
		one := of(s)[i]
		largest = max(largest, slices.Max(slices.Concat(one.Values...)))
		p.Name, p.Title, has = what(unit), what(unit)+", "+fullCase(one.Name), true
		for k, v := range one.Versions {
			name := ""
			if k == 0 && (n%thinned(len(list)) == 0) {
				name = s.Date()
			}
			p.points = append(p.points, point{name: name, about: s.Date() + ", " + short(v), link: s.raw(full, v), rounds: one.Of(v), joined: k > 0})
		}
		p.markSteps(s, one)
	}
	size := scaleOf(unit, largest)
	p.Unit, p.size = size.name, size.size
	if p.bare = len(p.points) > mostDotted; p.bare {
		p.Steps = p.Steps[max(len(p.Steps)-mostMoved, 0):]
	}
	return p, has
}

// mostDotted is the number of points up to which all rounds are drawn, and all steps are told.
const mostDotted = 40

// thinned is how many records have one date below the chart.
func thinned(records int) int { return (records + 9) / 10 }

// markSteps marks those of the record whose points are the last ones.
func (p *picture) markSteps(s *study, one history.Series) {
	for _, step := range s.steps {
		if step.Name.Full == one.Name.Full && step.Unit == one.Unit {
			f := s.found(step)
			f.Version = s.Date() + ", " + f.Version
			p.Steps = append(p.Steps, f)
			p.marks = append(p.marks, mark{len(p.points) - len(one.Versions) + step.At, s.Date(), f.Sign + " " + f.By})
		}
	}
}
