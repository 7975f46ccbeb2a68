// Package figure turns result lines and records into what benchreport shows: charts as plain
// data, tables, and the reasons why some are not there.
package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/layers"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/ranking"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/releases"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/seen"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/view"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Report is all that is shown. Its JSON is what the page's script reads.
type Report struct {
	Title       string           `json:"-"` // what it is of
	Measured    []fact.Fact      `json:"-"` // machine, date and commit
	Settings    []fact.Fact      `json:"-"`
	Versions    []fact.Fact      `json:"-"`
	Frameworks  []string         `json:"frameworks"` // in the order of the lines, references last
	Ranks       []string         `json:"ranks"`      // of the frameworks: ranked, ours or reference
	Serializers []string         `json:"codecs"`     // of the frameworks, as in "protobuf, thrift"; empty if all have one
	Rankings    []*ranking.Table `json:"-"`          // one for each panel of the first closed loop, and each message of serializers
	Answers     []*ranking.Table `json:"-"`          // one for each panel of closed loops, that of the usual callers first, and each message
	Briefs      []ranking.Aside  `json:"-"`          // one for each panel of other closed loops
	Sections    []chart.Section  `json:"sections"`   // those that have data
	Tables      []table.Table    `json:"-"`          // of transfers by what they differ in, and one for each panel of calls
	Costs       []table.Cost     `json:"-"`          // one for each panel of calls at offered rates
	Besides     []table.Table    `json:"-"`          // of what calls, connections and programs cost besides time
	Hidden      []string         `json:"hidden"`     // frameworks that are switched off at first, and not in pictures
	Absent      []Absent         `json:"-"`
	Doubts      Doubts           `json:"-"`
	Skipped     []string         `json:"-"` // what was not measured, and why
	Samples     []string         `json:"-"` // what is told of messages of a user's own
	Unknown     []string         `json:"-"` // benchmarks whose lines nothing shows
	Remarks     []string         `json:"-"` // on the whole of it
	material    *material.Material
	views       []*view.View
}

// Absent is what is not shown, and why.
type Absent struct{ Title, Why string }

// New makes the report of a text and the records behind its lines, which may be none.
func New(t *lines.Text, records []record.Record) *Report {
	views := view.All()
	kinds := view.Kinds(views)
	past := releases.New(t.Lines, kinds)
	t = releases.Without(t)
	layered, alone, others := layers.Find(t, kinds)
	all := slices.Concat(alone, others)
	m := material.New(others, kinds, material.NewNotes(all, t, records))
	r := &Report{Title: "Benchmark of RPC frameworks", material: m, views: views, Skipped: t.Skipped, Samples: t.Samples, Frameworks: m.Frameworks(), Doubts: doubtsOf(m, all)}
	r.addFrameworks()
	r.addFacts(all, others, past.Lines)
	r.addRankings()
	r.addSections()
	r.addTables()
	r.Besides = append(r.Besides, slices.Concat(layered.Tables(), past.Tables())...)
	if layered.Empty() {
		r.absent("Layers", "no lines with with= beside others: run benchmarks with -with=tls13 and give their text as well")
	}
	r.Unknown = m.Others()
	for _, name := range r.Unknown {
		r.absent(name, "its lines are neither of calls nor of serializers: benchstat can read them")
	}
	if n := m.Notes.Strays; n > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("%d records belong to no line of the text and are left out: are they of another run?", n))
	}
	return r
}

// addFrameworks says of each how it is ranked, and its serializers unless all have the same.
func (r *Report) addFrameworks() {
	known := seen.Texts{}
	for _, name := range r.Frameworks {
		codecs := r.material.Codecs(name)
		r.Ranks, r.Serializers = append(r.Ranks, r.material.RankIn(name)), append(r.Serializers, strings.Join(codecs, ", "))
		for _, codec := range codecs {
			known[codec] = true
		}
	}
	if len(known) < 2 {
		clear(r.Serializers)
	}
}

// Facts are all configuration lines.
func (r *Report) Facts() [][]fact.Fact { return [][]fact.Fact{r.Measured, r.Versions, r.Settings} }

// TablesOf are the tables of lines of their own that explain a section of charts; those of ""
// stand alone.
func (r *Report) TablesOf(section string) (list []table.Table) {
	for _, t := range r.Besides {
		if t.Section == section {
			list = append(list, t)
		}
	}
	return list
}

// Empty reports whether nothing is shown of the lines.
func (r *Report) Empty() bool {
	return len(r.Sections)+len(r.Tables)+len(r.Costs)+len(r.Besides) == 0
}

// HideReferences switches off what the others are compared with, if anything else is there.
func (r *Report) HideReferences() {
	hidden := slices.DeleteFunc(slices.Clone(r.Frameworks), func(name string) bool { return r.material.RankIn(name) != rank.Reference })
	if len(hidden) < len(r.Frameworks) {
		r.Hidden = hidden
	}
}

// addFacts says what was measured where, and in which facts lines differ that stand side by
// side. Lines with a machine and a date of their own count for versions alone, unless there
// are no others.
func (r *Report) addFacts(all, others, ofRecords []lines.Line) {
	facts := fact.Of(all)
	r.Measured, r.Settings, r.Versions = facts.Measured, facts.Settings, facts.Versions
	if len(all) == 0 && len(ofRecords) > 0 {
		r.Measured = fact.OfRecord(ofRecords)
	}
	var own []*view.View
	for _, v := range r.views {
		if v.OwnFacts() {
			own = append(own, v)
		}
	}
	shared := slices.DeleteFunc(slices.Clone(others), func(l lines.Line) bool {
		k := r.material.Kinds.Of(l)
		return slices.ContainsFunc(own, func(v *view.View) bool { return &v.Kind == k })
	})
	if len(shared) > 0 {
		r.Measured = fact.Measured(shared)
	}
	r.Remarks = slices.Concat(fact.Differences(all, lines.Versions), fact.Differences(shared, lines.Setup, lines.Host, lines.Pin))
	for _, v := range own {
		r.Remarks = append(r.Remarks, fact.Differences(r.material.Of(&v.Kind), lines.Setup, lines.Host, lines.Pin)...)
	}
}

// addSections adds CPU times and their parts, those of benchmarks of calls, then those over
// several, and then those of other benchmarks.
func (r *Report) addSections() {
	r.addShared(view.Costs())
	r.addOwn(func(v *view.View) bool { return v.Parts })
	r.addOwn(func(v *view.View) bool { return v.Calls })
	r.addShared(view.Links())
	r.add(draw.Percentiles(r.material), "no records: run the benchmarks with -results=DIR, and this command with -results DIR")
	if s := draw.Series(r.material); len(s.Panels) > 0 {
		r.Sections = append(r.Sections, s)
	}
	r.addShared(view.Ends())
	r.addOwn(func(v *view.View) bool { return !v.Calls && !v.Parts })
}

func (r *Report) addOwn(is func(v *view.View) bool) {
	for _, v := range r.views {
		if !is(v) {
			continue
		}
		for _, s := range v.Sections {
			r.add(v.Charts(r.material, s), s.Why)
		}
	}
}

func (r *Report) addShared(list []draw.Section) {
	for _, s := range list {
		r.add(view.SharedCharts(r.material, r.views, s), s.Why)
	}
}

func (r *Report) add(s chart.Section, why string) {
	if len(s.Panels) == 0 {
		r.absent(s.Title, why)
		return
	}
	r.Sections = append(r.Sections, s)
}

func (r *Report) absent(title, why string) { r.Absent = append(r.Absent, Absent{title, why}) }

// addTables adds those of benchmarks, the crossed ones first.
func (r *Report) addTables() {
	for _, v := range r.views {
		r.Tables = append(r.Tables, v.CrossTables(r.material)...)
	}
	for _, v := range r.views {
		list := v.Tables(r.material)
		switch {
		case v.Calls:
			r.Tables = append(r.Tables, list...)
		default:
			r.Besides = append(r.Besides, list...)
		}
		if len(list) == 0 && v.Why != "" {
			r.absent(v.Title, v.Why)
		}
		if v.Explains != nil {
			list, why := v.Explains(r.material, &v.Kind)
			if r.Besides = append(r.Besides, list...); why != "" {
				r.absent("A fit of "+strings.ToLower(v.Sections[0].Title), why)
			}
		}
		if v.Costs != nil {
			r.Costs = append(r.Costs, v.Costs(r.material, &v.Kind)...)
		}
	}
}

// addRankings ranks the panels of closed loops, and serializers. In a text those of the first
// benchmark are tables, and of the others there is a line each.
func (r *Report) addRankings() {
	panels := r.closed()
	for i, g := range panels {
		t := ranking.Calls(g, r.counts())
		r.Answers = append(r.Answers, t)
		if panels[i].Bench == panels[0].Bench {
			r.Rankings = append(r.Rankings, t)
			continue
		}
		r.Briefs = append(r.Briefs, ranking.Brief(g))
	}
	if i := slices.IndexFunc(panels, (*material.Group).Usual); i > 0 {
		first := r.Answers[i]
		r.Answers = slices.Insert(slices.Delete(r.Answers, i, i+1), 0, first)
	}
	for _, v := range r.views {
		if v.Serializers {
			for _, g := range r.material.Group(r.material.Of(&v.Kind), v.Axis) {
				t := ranking.Codecs(g, r.Samples)
				r.Rankings, r.Answers = append(r.Rankings, t), append(r.Answers, t)
			}
		}
	}
}

// Ranking makes the table of the panel of a closed loop that is called so, as in "Echo, 1KiB,
// 100 callers". The error names those that there are.
func (r *Report) Ranking(panel string) (*ranking.Table, error) {
	var names []string
	for _, g := range r.closed() {
		if g.Title() == panel {
			return ranking.Calls(g, r.counts()), nil
		}
		names = append(names, g.Title())
	}
	return nil, fmt.Errorf("no lines of %q: there are %s", panel, strings.Join(names, "; "))
}

// counts are the panels of BenchmarkCount.
func (r *Report) counts() (list []*material.Group) {
	for _, v := range r.views {
		if v.Counts {
			list = append(list, r.material.Group(r.material.Of(&v.Kind), v.Axis)...)
		}
	}
	return list
}

// closed are the panels of closed loops.
func (r *Report) closed() (list []*material.Group) {
	for _, v := range r.views {
		if v.Ranked {
			list = append(list, r.material.Group(r.material.Of(&v.Kind), material.None())...)
		}
	}
	return list
}
