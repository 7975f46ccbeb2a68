package ranking

import (
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
)

var runColumns = []Column{
	{Head: "run", Words: true},
	{Group: "response ms", Head: "p50"},
	{Group: "response ms", Head: "p90", Spare: 3},
	{Group: "response ms", Head: "p99"},
	{Group: "response ms", Head: "p99.9", Spare: 2},
	{Group: "response ms", Head: "max", Spare: 1},
	{Group: "calls/s", Head: "offered"},
	{Group: "calls/s", Head: "ok"},
	{Group: "calls", Head: "sent"},
	{Group: "calls", Head: "failed"},
	{Group: "calls", Head: "dropped", Spare: 3},
	{Head: "seconds", Spare: 4},
	{Head: "start", Spare: 5},
}

// Runs has a row for each run of a load generator, in the order of the records. They are not
// ranked: nobody knows what they have in common.
func Runs(records []record.Record) *Table {
	t := &Table{Title: "Runs", About: fmt.Sprintf("%d of a load generator", len(records)), Columns: slices.Clone(runColumns)}
	for _, r := range records {
		t.Rows = append(t.Rows, runRow(&r))
	}
	t.Notes = []string{"A response runs from when a call was due, in a closed loop from when it was made; those of failed calls count."}
	t.withoutEmpty()
	return t
}

func runRow(r *record.Record) (row []Cell) {
	texts := []string{r.Short()}
	for _, percent := range []float64{50, 90, 99, 99.9, 100} {
		texts = append(texts, percentile(r, percent))
	}
	offered := number.Missing
	if !r.Closed {
		offered = number.Digits(r.Rate(r.Due))
	}
	texts = append(texts, offered, number.Digits(r.Rate(r.OK)), fmt.Sprint(r.Sent), fmt.Sprint(r.Failed), fmt.Sprint(r.Dropped), number.Digits(float64(r.Elapsed)/1e9), r.Start.UTC().Format("2006-01-02 15:04:05"))
	for _, text := range texts {
		row = append(row, Cell{Text: text})
	}
	return row
}

// slower is how many calls of a run must be slower than a percentile that is shown.
const slower = 10

// percentile is in ms. The median and the maximum are always known.
func percentile(r *record.Record, percent float64) string {
	if beyond := float64(r.Response.TotalCount()) * (100 - percent) / 100; percent > 50 && percent < 100 && beyond < slower-1e-6 {
		return number.Missing
	}
	return number.Digits(float64(r.Response.ValueAtQuantile(percent)) / 1e6)
}
