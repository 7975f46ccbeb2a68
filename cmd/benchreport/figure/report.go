// Package figure turns result lines and records into what a report shows:
// charts as plain data, tables, and the reasons why some are not there.
package figure

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Report is all that is shown. Its JSON is what the page's script reads.
type Report struct {
	Measured   []Fact    `json:"-"` // machine, date and commit
	Settings   []Fact    `json:"-"`
	Versions   []Fact    `json:"-"`
	Frameworks []string  `json:"frameworks"` // in the order of the lines, references last
	Ranks      []string  `json:"ranks"`      // of the frameworks: ranked, ours or reference
	Sections   []Section `json:"sections"`   // those that have data
	Tables     []Table   `json:"-"`          // of transfers by what they differ in, and one for each panel of calls
	Costs      []Cost    `json:"-"`          // one for each panel of calls at offered rates
	Besides    []Table   `json:"-"`          // of what calls, connections and programs cost besides time
	Codecs     []Table   `json:"-"`          // one for each message
	Hidden     []string  `json:"hidden"`     // frameworks that are switched off at first, and not in pictures
	Absent     []Absent  `json:"-"`
	Doubts     Doubts    `json:"-"`
	Skipped    []string  `json:"-"` // what was not measured, and why
	Remarks    []string  `json:"-"` // on the whole of it
	material   *material
}

// Fact is a configuration line; of several values all are there.
type Fact struct{ Key, Value string }

// Absent is what is not shown, and why.
type Absent struct{ Title, Why string }

// New makes the report of a text and the records behind its lines, which may
// be none.
func New(t *lines.Text, records []record.Record) *Report {
	past := newReleases(t.Lines)
	t = withoutReleases(t)
	m := newMaterial(t, records)
	t.Lines = m.all
	r := &Report{material: m, Skipped: t.Skipped, Frameworks: m.frameworks(), Doubts: m.doubts(t.Lines)}
	r.addFacts(t.Lines)
	if len(t.Lines) == 0 && len(past.lines) > 0 {
		r.Measured = whenMeasured(past.lines)
	}
	calls := slices.DeleteFunc(slices.Clone(t.Lines), func(l lines.Line) bool { return slices.Contains(ofTheirOwn, subjectOf(l)) || m.layers.apart(l) })
	if len(calls) > 0 {
		r.Measured = measured(calls)
	}
	r.tell(t.Lines, lines.Versions)
	r.tell(calls, lines.Setup, lines.Host, lines.Pin)
	for _, s := range ofTheirOwn {
		r.tell(m.lines[s], lines.Setup, lines.Host, lines.Pin)
	}
	for _, name := range r.Frameworks {
		r.Ranks = append(r.Ranks, m.rankIn(name))
	}
	r.addViews(callViews()...)
	r.addSection(m.percentiles(), "no records: run the benchmarks with -results=DIR, and this command with -results DIR")
	r.addViews(append(lastViews(), m.codecView())...)
	r.Tables, r.Costs, r.Codecs = append(m.crossed(), m.tables()...), m.costs(), m.codecs()
	r.Besides = append(m.besides(), past.tables()...)
	if len(m.lines[counted]) == 0 {
		r.Absent = append(r.Absent, Absent{"Counts", "no lines of BenchmarkCount: run make count and give its text as well"})
	}
	if len(m.lines[start]) == 0 {
		r.Absent = append(r.Absent, Absent{"Footprint", "no lines of BenchmarkFootprint: run make footprint and give its text as well"})
	}
	if len(m.layers.files) == 0 {
		r.Absent = append(r.Absent, Absent{"Layers", "no lines with with= beside others: run benchmarks with -with=tls13 and give their text as well"})
	}
	for _, name := range m.others() {
		r.Absent = append(r.Absent, Absent{name, "its lines are neither of calls nor of serializers: benchstat can read them"})
	}
	r.Remarks = append(r.Remarks, m.remarks()...)
	return r
}

// HideReferences switches off what the others are compared with, if anything
// else is there.
func (r *Report) HideReferences() {
	hidden := slices.DeleteFunc(slices.Clone(r.Frameworks), func(name string) bool { return r.material.rankIn(name) != reference })
	if len(hidden) < len(r.Frameworks) {
		r.Hidden = hidden
	}
}

func (r *Report) addViews(views ...view) {
	for _, v := range views {
		r.addSection(r.material.fill(v), v.why)
	}
}

func (r *Report) addSection(s Section, why string) {
	if len(s.Panels) == 0 {
		r.Absent = append(r.Absent, Absent{s.Title, why})
		return
	}
	r.Sections = append(r.Sections, s)
}

var (
	measuredKeys = slices.Concat([]string{"date", "commit", "cpu"}, lines.Machine(), []string{"goos", "goarch", "go", "goexperiment"})
	version      = regexp.MustCompile(`^v\d`)
)

// addFacts sorts the configuration of the lines into what was measured
// when and where, versions and settings.
func (r *Report) addFacts(list []lines.Line) {
	values, known := map[string][]string{}, seen{}
	for _, l := range list {
		for key, value := range l.Config {
			if known.isNew(key + ": " + value) {
				values[key] = append(values[key], value)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		fact := Fact{key, strings.Join(values[key], " and ")}
		switch {
		case slices.Contains([]string{"pkg", ranksLine, versionsLine}, key):
		case slices.Contains(measuredKeys, key):
			r.Measured = append(r.Measured, fact)
		case lines.FieldOf(key, values[key][0]) == lines.Versions:
			r.Versions = append(r.Versions, fact)
		default:
			r.Settings = append(r.Settings, fact)
		}
	}
	rank := func(f Fact) int { return slices.Index(measuredKeys, f.Key) }
	slices.SortFunc(r.Measured, func(a, b Fact) int { return cmp.Compare(rank(a), rank(b)) })
}

// measured are the machine, date and commit of some lines.
func measured(list []lines.Line) []Fact {
	var r Report
	r.addFacts(list)
	return r.Measured
}

// tell remarks that lines that differ in one of the fields stand side by side.
func (r *Report) tell(list []lines.Line, fields ...lines.Field) {
	for _, d := range (lines.Rule{Fields: fields}).Differences(list) {
		was, now := d.Both()
		if d.Field == lines.Versions {
			r.Remarks = append(r.Remarks, fmt.Sprintf("%s was measured in version %s and %s, and their figures stand side by side", d.Key, was, now))
			continue
		}
		r.Remarks = append(r.Remarks, fmt.Sprintf("%s was %s in some lines and %s in others, and their figures stand side by side", d.Key, was, now))
	}
}

// number is a value that needs no more than five digits.
type number float64

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return nil, fmt.Errorf("%v is no number for a chart", float64(n))
	}
	return fmt.Appendf(nil, "%.5g", float64(n)), nil
}
