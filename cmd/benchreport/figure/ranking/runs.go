package ranking

import (
	"fmt"
	"math"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
)

// known is the head of the column of a percentile's interval.
const known = "95 %"

// runColumns are the columns of Runs.
func runColumns() []Column {
	return []Column{
		{Head: "run", Words: true},
		{Group: "response ms", Head: "p50"},
		{Group: "response ms", Head: known, Spare: 2},
		{Group: "response ms", Head: "p90", Spare: 3},
		{Group: "response ms", Head: known, Spare: 4},
		{Group: "response ms", Head: "p99"},
		{Group: "response ms", Head: known, Spare: 2},
		{Group: "response ms", Head: "p99.9", Spare: 2},
		{Group: "response ms", Head: known, Spare: 4},
		{Group: "response ms", Head: "max", Spare: 1},
		{Group: "calls/s", Head: "offered"},
		{Group: "calls/s", Head: "ok"},
		{Group: "calls", Head: "sent"},
		{Group: "calls", Head: "failed"},
		{Group: "calls", Head: "dropped", Spare: 3},
		{Head: "seconds", Spare: 4},
		{Head: "start", Spare: 5},
	}
}

// Runs has a row for each run of a load generator, in the order of the records, each followed
// by its parts. They are not ranked: nobody knows what they have in common.
func Runs(records []record.Record) *Table {
	t := &Table{Title: "Runs", About: fmt.Sprintf("%d of a load generator", len(records)), Columns: runColumns()}
	intervals := false
	for _, run := range records {
		for _, r := range run.WithParts() {
			t.Rows = append(t.Rows, runRow(&r))
			intervals = intervals || len(r.Known) > 0
			t.Below = append(t.Below, named("failed calls, "+r.Short(), r.Failures)...)
		}
	}
	t.Notes = []string{"A response runs from when a call was due, in a closed loop from when it was made; those of failed calls count."}
	if intervals {
		t.Notes = append(t.Notes, "95 %: the interval of the percentile before it.")
	}
	t.withoutEmpty()
	return t
}

func runRow(r *record.Record) (row []Cell) {
	texts := []string{r.Short()}
	for _, percent := range []float64{50, 90, 99, 99.9} {
		texts = append(texts, percentile(r, percent), interval(r, percent))
	}
	offered, start := number.Missing, number.Missing
	if !r.Closed {
		offered = number.Digits(r.Rate(r.Due))
	}
	if r.Part == "" && !r.Start.IsZero() {
		start = r.Start.UTC().Format("2006-01-02 15:04:05")
	}
	texts = append(texts, percentile(r, 100), offered, number.Digits(r.Rate(r.OK)), fmt.Sprint(r.Sent), fmt.Sprint(r.Failed), fmt.Sprint(r.Dropped), number.Digits(float64(r.Elapsed)/1e9), start)
	for _, text := range texts {
		row = append(row, Cell{Text: text})
	}
	return row
}

// slower is how many calls of a run must be slower than a percentile that is shown.
const slower = 10

// percentile is in ms. The median and the maximum are known of any call.
func percentile(r *record.Record, percent float64) string {
	if r.Response == nil {
		return number.Missing
	}
	if beyond := float64(r.Response.TotalCount()) * (100 - percent) / 100; percent > 50 && percent < 100 && beyond < slower-1e-6 {
		return number.Missing
	}
	return number.Digits(float64(r.Response.ValueAtQuantile(percent)) / 1e6)
}

// interval is the 95 % interval of a percentile that is shown, in ms.
func interval(r *record.Record, percent float64) string {
	shown := percentile(r, percent) != number.Missing
	for _, k := range r.Known {
		if shown && math.Abs(100*k.Quantile-percent) < 1e-6 {
			return number.Digits(float64(k.Low)/1e6) + "–" + number.Digits(float64(k.High)/1e6)
		}
	}
	return number.Missing
}
