package record

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Runs is the benchmark of records of no framework: each is a row of one panel.
const Runs = "Runs"

// Text returns the lines that a benchmark would have printed for the records, and the records
// with the names and medians by which they are found; those of runs of no framework are followed
// by their parts. Records of several load generators are refused: they must be put together
// first.
func Text(records []Record) (*lines.Text, []Record, error) {
	t, found := &lines.Text{}, []Record(nil)
	framed := HasFrameworks(records)
	for _, r := range records {
		if r.Ranks > 1 {
			return nil, nil, fmt.Errorf("%s is of one of %d load generators: put their records together with loadmerge -o, and give what it writes", r.File, r.Ranks)
		}
		all := []Record{r}
		if !framed {
			all = r.WithParts()
		}
		for _, r := range all {
			if r.Response != nil {
				found = append(found, r.addTo(t, framed))
			}
		}
	}
	return t, found, lines.SameMachine(t.Lines)
}

// addTo adds a line to a text, with a note on calls that failed, and returns the record as it
// is found by the line.
func (r Record) addTo(t *lines.Text, framed bool) Record {
	l := lines.Line{Name: lines.ParseName(r.Name), Printed: r.Name, Calls: int(r.Sent), Values: r.values(), Config: r.Config, At: r.File + ":1"}
	if !framed {
		l.Name = lines.Name{Full: r.Name, Base: Runs, Keys: []lines.Key{{Key: "framework", Value: r.Short()}}}
	}
	if r.Part != "" {
		l.Full = fmt.Sprintf("%q of %s", r.Part, r.Name)
	}
	t.Lines = append(t.Lines, l)
	if len(r.Failures) > 0 {
		t.Notes = append(t.Notes, lines.Note{Name: l.Full, Text: "failed calls: " + strings.Join(r.Failures, "; ")})
	}
	r.Name, r.P50 = l.Full, l.Values["p50-ns"]
	return r
}

// Apart tells runs of one name apart: by when they started, or if they started together by
// their files. Parts of a single run need not have its name.
func Apart(records []Record) []Record {
	if len(records) == 1 {
		return []Record{records[0].only()}
	}
	list, count := slices.Clone(records), map[string]int{}
	at := func(r Record) string { return r.Name + " " + r.Start.UTC().Format(time.DateTime) }
	for _, r := range list {
		count[r.Name]++
		count[at(r)]++
	}
	for i, r := range list {
		switch {
		case count[r.Name] == 1:
		case count[at(r)] == 1:
			list[i].rename(at(r))
		default:
			list[i].rename(r.Name + " " + foreign.Line(r.File))
		}
	}
	return list
}

// only is the record as the only one. A part that is named as the run is keeps both names.
func (r Record) only() Record {
	r.Parts = slices.Clone(r.Parts)
	for i, p := range r.Parts {
		r.Parts[i].alone = p.Part != r.Short()
	}
	return r
}

// rename gives the run of a record another name.
func (r *Record) rename(name string) {
	r.Name, r.Parts = name, slices.Clone(r.Parts)
	for i := range r.Parts {
		r.Parts[i].Name = name
	}
}

// WithParts are the record and its parts.
func (r Record) WithParts() []Record { return append([]Record{r}, r.Parts...) }

// HasFrameworks reports whether records are of frameworks, as the suites name them.
func HasFrameworks(records []Record) bool {
	return slices.ContainsFunc(records, func(r Record) bool { return lines.ParseName(r.Name).Get("framework") != "" })
}

// Short is the name without the word that all begin with, as in "Shop" or "login of Shop",
// and "login" if there are no other runs.
func (r *Record) Short() string {
	name := cmp.Or(strings.TrimPrefix(r.Name, "Benchmark"), r.Name)
	switch {
	case r.alone:
		return r.Part
	case r.Part != "":
		return r.Part + " of " + name
	}
	return name
}

// values returns what the line has by unit, and without a line what the counts say.
func (r *Record) values() map[string]float64 {
	values := map[string]float64{"calls/s": r.Rate(r.OK), "errors": float64(r.Failed), "dropped": float64(r.Dropped)}
	if !r.Closed {
		values["offered/s"] = r.Rate(r.Due)
	}
	if _, ok := r.Metrics["calls/s"]; ok {
		values = maps.Clone(r.Metrics)
	}
	if math.IsNaN(r.P50) {
		values["p50-ns"] = float64(r.Response.ValueAtQuantile(50))
	}
	return values
}

// Rate is a number of calls in a second; 0 if the time is not known.
func (c *Counts) Rate(calls int64) float64 {
	if c.Elapsed <= 0 {
		return 0
	}
	return float64(calls) / (float64(c.Elapsed) / 1e9)
}
