package figure

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/ranking"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
)

// OfRecords makes the report of records without a text of lines. Those of no framework have
// their curves and their intervals alone, with those of their parts.
func OfRecords(list []record.Record) (*Report, error) {
	list = slices.SortedStableFunc(slices.Values(list), func(a, b record.Record) int { return a.Start.Compare(b.Start) })
	framed := record.HasFrameworks(list)
	if !framed {
		list = record.Apart(list)
	}
	t, found, err := record.Text(list)
	if err != nil {
		return nil, err
	}
	runs := ranking.Runs(list) // before the records of one row are put together
	r := New(t, found)
	if !framed {
		r.onlyRuns()
		r.drawParts(list)
	}
	r.Rankings, r.Answers = append(r.Rankings, runs), append(r.Answers, runs)
	return r, nil
}

func (r *Report) onlyRuns() {
	r.Title = "Runs of a load generator"
	r.Sections = slices.DeleteFunc(r.Sections, func(s chart.Section) bool { return s.ID != "percentiles" && s.ID != "series" })
	r.Rankings, r.Answers, r.Briefs = nil, nil, nil
	r.Tables, r.Costs, r.Absent = nil, nil, nil
	for _, d := range r.Doubts.Reasons {
		for i, row := range d.Rows {
			d.Rows[i] = strings.TrimPrefix(row, record.Runs+" ")
		}
	}
}

// mostParts is how many parts of a run are drawn: with more no line can be followed.
const mostParts = 12

// drawParts leaves the parts with the fewest calls in all runs out of the charts.
func (r *Report) drawParts(list []record.Record) {
	names := byCalls(list)
	if len(names) <= mostParts {
		return
	}
	undrawn := map[string]bool{}
	for _, run := range list {
		for _, p := range run.Parts {
			undrawn[p.Short()] = slices.Contains(names[mostParts:], p.Part)
		}
	}
	var ranks, serializers []string
	for i, name := range r.Frameworks {
		if !undrawn[name] {
			ranks, serializers = append(ranks, r.Ranks[i]), append(serializers, r.Serializers[i])
		}
	}
	r.Frameworks = slices.DeleteFunc(r.Frameworks, func(name string) bool { return undrawn[name] })
	r.Ranks, r.Serializers = ranks, serializers
	for i := range r.Sections {
		r.Sections[i].Note += fmt.Sprintf(" Of %d parts only the %d with the most calls are drawn.", len(names), mostParts)
		r.Sections[i].Undraw(undrawn)
	}
}

// byCalls are the names of the parts of runs, those with the most calls first.
func byCalls(list []record.Record) []string {
	calls := map[string]int64{}
	for _, run := range list {
		for _, p := range run.Parts {
			calls[p.Part] += p.Sent
		}
	}
	return slices.SortedFunc(maps.Keys(calls), func(a, b string) int {
		return cmp.Or(cmp.Compare(calls[b], calls[a]), cmp.Compare(a, b))
	})
}
