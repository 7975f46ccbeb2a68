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
	Machine    []Fact    `json:"-"`
	Settings   []Fact    `json:"-"`
	Versions   []Fact    `json:"-"`
	Frameworks []string  `json:"frameworks"` // in the order of the lines
	Sections   []Section `json:"sections"`   // those that have data
	Tables     []Table   `json:"-"`          // one for each panel of callers or rates
	Codecs     []Table   `json:"-"`          // one for each message
	Hidden     []string  `json:"hidden"`     // frameworks that are switched off at first, and not in pictures
	Absent     []Absent  `json:"-"`
	Remarks    []string  `json:"-"` // on the whole of it
}

// Fact is a configuration line; of several values all are there.
type Fact struct{ Key, Value string }

// Absent is what is not shown, and why.
type Absent struct{ Title, Why string }

// New makes the report of a text and the records behind its lines, which may
// be none.
func New(t *lines.Text, records []record.Record) *Report {
	r := &Report{}
	r.addFacts(t.Lines)
	m := newMaterial(t, records)
	r.Frameworks = m.frameworks()
	r.addSection(m.throughput(), "no line has calls/s without an offered rate: run BenchmarkEcho or BenchmarkMessage")
	r.addSection(m.latency(), "no line has p50-ns without an offered rate: run BenchmarkEcho or BenchmarkMessage")
	r.addSection(m.offered(), "no line has an offered rate: run BenchmarkRate with several -rate")
	r.addSection(m.percentiles(), "no records: run the benchmarks with -results=DIR, and this command with -results DIR")
	r.addSection(m.cpu(), "no line has client-cpu-ns/op and server-cpu-ns/op")
	r.Tables = m.tables()
	r.Codecs = m.codecs()
	if len(r.Codecs) == 0 {
		r.Absent = append(r.Absent, Absent{"Serializers", "no lines of BenchmarkCodec: run make bench-codecs and give its text as well"})
	}
	r.Remarks = append(r.Remarks, m.remarks()...)
	return r
}

func (r *Report) addSection(s Section, why string) {
	if len(s.Panels) == 0 {
		r.Absent = append(r.Absent, Absent{s.Title, why})
		return
	}
	r.Sections = append(r.Sections, s)
}

var (
	machineKeys = []string{"cpu", "goos", "goarch", "go", "goexperiment"}
	version     = regexp.MustCompile(`^v\d`)
)

// addFacts sorts the configuration of the lines into machine, versions and
// settings.
func (r *Report) addFacts(list []lines.Line) {
	values := map[string][]string{}
	for _, l := range list {
		for key, value := range l.Config {
			if !slices.Contains(values[key], value) {
				values[key] = append(values[key], value)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		fact := Fact{key, strings.Join(values[key], " and ")}
		switch {
		case key == "pkg":
		case slices.Contains(machineKeys, key):
			r.Machine = append(r.Machine, fact)
		case version.MatchString(values[key][0]):
			r.Versions = append(r.Versions, fact)
			r.checkVersions(list, key)
		default:
			r.Settings = append(r.Settings, fact)
		}
	}
	rank := func(f Fact) int { return slices.Index(machineKeys, f.Key) }
	slices.SortFunc(r.Machine, func(a, b Fact) int { return cmp.Compare(rank(a), rank(b)) })
}

// checkVersions remarks that lines of two versions stand side by side. Packages
// may use one key for different things.
func (r *Report) checkVersions(list []lines.Line, key string) {
	of := map[string]string{} // package → version
	for _, l := range list {
		pkg, v := l.Config["pkg"], l.Config[key]
		if v == "" {
			continue
		}
		if known := cmp.Or(of[pkg], v); known != v {
			r.Remarks = append(r.Remarks, fmt.Sprintf("%s was measured in version %s and %s, and the figures of both are taken together", key, known, v))
			return
		}
		of[pkg] = v
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
