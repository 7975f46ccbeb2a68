package record

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Runs is the benchmark of records of no framework: each is a row of one panel.
const Runs = "Runs"

// Text returns the lines that a benchmark would have printed for the records, and the records
// with the medians by which they are found. Records of several load generators are refused:
// they must be put together first.
func Text(records []Record) (*lines.Text, []Record, error) {
	t, found := &lines.Text{}, slices.Clone(records)
	framed := HasFrameworks(records)
	for i, r := range found {
		if r.Ranks > 1 {
			return nil, nil, fmt.Errorf("%s is of one of %d load generators: put their records together with loadmerge -o, and give what it writes", r.File, r.Ranks)
		}
		l := lines.Line{Name: lines.ParseName(r.Name), Printed: r.Name, Calls: int(r.Sent), Values: r.values(), Config: r.Config, At: r.File + ":1"}
		if !framed {
			l.Base, l.Keys = Runs, []lines.Key{{Key: "framework", Value: r.Short()}}
		}
		found[i].P50 = l.Values["p50-ns"]
		t.Lines = append(t.Lines, l)
		if len(r.Failures) > 0 {
			t.Notes = append(t.Notes, lines.Note{Name: l.Full, Text: "failed calls: " + strings.Join(r.Failures, "; ")})
		}
	}
	return t, found, lines.SameMachine(t.Lines)
}

// HasFrameworks reports whether records are of frameworks, as the suites name them.
func HasFrameworks(records []Record) bool {
	return slices.ContainsFunc(records, func(r Record) bool { return lines.ParseName(r.Name).Get("framework") != "" })
}

// Short is the name without the word that all begin with.
func (r *Record) Short() string { return strings.TrimPrefix(r.Name, "Benchmark") }

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
