package site

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

const repositoryPage = "repository.html"

// world is all that pages are made of.
type world struct {
	studies    []*study // newest first
	frameworks []subject
	benchmarks []subject
	judged     []judged // by framework
	judges     map[framed]bool
	left       []history.Left
}

// subject is what a page is about.
type subject struct{ Name, Page string }

func newWorld(s Source) *world {
	w := &world{}
	for _, l := range s.Left {
		if l.Others {
			continue
		}
		w.left = append(w.left, history.Left{File: foreign.Line(filepath.Base(l.File)), Why: l.Why})
	}
	names := slugs{}
	for _, r := range slices.Backward(s.Records) {
		stem := strings.TrimSuffix(filepath.Base(r.File), filepath.Ext(r.File))
		w.studies = append(w.studies, newStudy(r, names.page("record", stem)))
	}
	w.tellApart()
	w.frameworks = w.subjects(names, "framework", frameworkOf)
	w.benchmarks = w.subjects(names, "benchmark", func(n lines.Name) string { return n.Base })
	w.judge()
	for _, s := range w.studies {
		s.Doubts, s.Releases = slices.Concat(s.few(), s.doubts(), s.moved(w.studies)), w.releases(s)
	}
	return w
}

// tellApart names machines by their conditions as well, where records of one differ.
func (w *world) tellApart() {
	of := map[string][]*study{}
	for _, s := range w.studies {
		of[s.MachineName()] = append(of[s.MachineName()], s)
	}
	for _, list := range of {
		var records []*history.Record
		for _, s := range list {
			records = append(records, s.Record)
		}
		for i, words := range history.Conditions(records) {
			list[i].conditions = words
		}
	}
}

// subjects are sorted by name. The reference has no page of its own.
func (w *world) subjects(names slugs, kind string, of func(lines.Name) string) (list []subject) {
	known := map[string]bool{}
	for _, s := range w.studies {
		for _, one := range s.series {
			known[of(one.Name)] = true
		}
	}
	for _, name := range sortedKeys(known) {
		list = append(list, subject{name, names.page(kind, name)})
	}
	return list
}

// page is the page of a subject; "" without one.
func page(list []subject, name string) string {
	i := slices.IndexFunc(list, func(s subject) bool { return s.Name == name })
	if i < 0 {
		return ""
	}
	return list[i].Page
}

func (w *world) ofCommits() bool {
	return slices.ContainsFunc(w.studies, func(s *study) bool { return s.OfCommits() })
}

// mostNav is how many subjects every page leads to. With more the overview alone does: a
// list of all on each page would weigh the square of their number.
const mostNav = 100

func (w *world) head(title, here string) head {
	h := head{Title: title, Here: here, Nav: []link{{"overview", "index.html"}}}
	if here != "index.html" && len(w.frameworks)+len(w.benchmarks) > mostNav {
		return h
	}
	for _, f := range w.frameworks {
		h.Nav = append(h.Nav, link(f))
	}
	for _, b := range w.benchmarks {
		h.Nav = append(h.Nav, link(b))
	}
	if w.ofCommits() {
		h.Nav = append(h.Nav, link{"this repository", repositoryPage})
	}
	return h
}
