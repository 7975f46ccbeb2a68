package table

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/record"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
)

// row is a mode of a tool against a server: the medians of its runs.
type row struct {
	record.Record // with the medians in Outcome
	lost          int64
	runs          int // that the medians are of; 0 if all failed
	errors        []string
}

// name is the tool with its mode.
func (r row) name() string { return r.Tool + " " + r.Mode }

// perCall is the CPU time of a call that was made, the tool's start included; 0 without calls.
func (r row) perCall() time.Duration { return r.CPU / time.Duration(max(r.Made, 1)) }

// server is what the rows of a table call.
type server struct {
	kind     planted.Kind
	rate     int
	protocol tool.Protocol
}

// group is the table of a server.
type group struct {
	server
	rows []row
}

// groups returns the tables, in the order of the kinds, and in each the tools by name.
func groups(all []record.Record) (list []group) {
	for _, r := range rows(all) {
		at := server{r.Kind, r.Rate, r.Protocol}
		if len(list) == 0 || list[len(list)-1].server != at {
			list = append(list, group{server: at})
		}
		list[len(list)-1].rows = append(list[len(list)-1].rows, r)
	}
	return list
}

// rows returns a row for each cell.
func rows(all []record.Record) (list []row) {
	sorted := slices.SortedFunc(slices.Values(all), byCell)
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n].Cell == sorted[0].Cell {
			n++
		}
		list = append(list, median(sorted[:n]))
		sorted = sorted[n:]
	}
	return list
}

func byCell(a, b record.Record) int {
	return cmp.Or(
		cmp.Compare(slices.Index(planted.Kinds(), a.Kind), slices.Index(planted.Kinds(), b.Kind)),
		cmp.Compare(a.Rate, b.Rate),
		-cmp.Compare(a.Protocol, b.Protocol), // HTTP first
		closedLast(a, b),
		cmp.Compare(a.Tool, b.Tool),
		strings.Compare(a.Cell, b.Cell),
		cmp.Compare(a.Run, b.Run))
}

func closedLast(a, b record.Record) int {
	switch {
	case a.Closed == b.Closed:
		return 0
	case a.Closed:
		return 1
	}
	return -1
}

// median returns the row of the runs of a cell.
func median(runs []record.Record) row {
	r := row{Record: runs[len(runs)-1]}
	var good []record.Record
	for _, run := range runs {
		if run.Error == "" {
			good = append(good, run)
		} else if !slices.Contains(r.errors, run.Error) {
			r.errors = append(r.errors, run.Error)
		}
	}
	if r.runs = len(good); r.runs == 0 {
		return r
	}
	r.Outcome = outcome(good)
	r.lost = middle(good, func(o *record.Outcome) int64 { return o.Lost() })
	return r
}

// outcome returns the median of each figure.
func outcome(runs []record.Record) (o record.Outcome) {
	times := map[*time.Duration]func(*record.Outcome) time.Duration{
		&o.Said.P50: func(o *record.Outcome) time.Duration { return o.Said.P50 },
		&o.Said.P95: func(o *record.Outcome) time.Duration { return o.Said.P95 },
		&o.Said.P99: func(o *record.Outcome) time.Duration { return o.Said.P99 },
		&o.Said.Max: func(o *record.Outcome) time.Duration { return o.Said.Max },
		&o.CPU:      func(o *record.Outcome) time.Duration { return o.CPU },
	}
	for to, of := range times {
		*to = middle(runs, of)
	}
	counts := map[*int64]func(*record.Outcome) int64{
		&o.Said.OK:      func(o *record.Outcome) int64 { return o.Said.OK },
		&o.Said.Failed:  func(o *record.Outcome) int64 { return o.Said.Failed },
		&o.Said.Dropped: func(o *record.Outcome) int64 { return o.Said.Dropped },
		&o.Asked:        func(o *record.Outcome) int64 { return o.Asked },
		&o.Made:         func(o *record.Outcome) int64 { return o.Made },
		&o.Failed:       func(o *record.Outcome) int64 { return o.Failed },
		&o.Failures:     func(o *record.Outcome) int64 { return o.Failures },
	}
	for to, of := range counts {
		*to = middle(runs, of)
	}
	o.Truth = percentiles(runs, func(o *record.Outcome) planted.Percentiles { return o.Truth })
	o.Server = percentiles(runs, func(o *record.Outcome) planted.Percentiles { return o.Server })
	o.Lateness = percentiles(runs, func(o *record.Outcome) planted.Percentiles { return o.Lateness })
	return o
}

func percentiles(runs []record.Record, of func(*record.Outcome) planted.Percentiles) planted.Percentiles {
	return planted.Percentiles{
		P50: middle(runs, func(o *record.Outcome) time.Duration { return of(o).P50 }),
		P95: middle(runs, func(o *record.Outcome) time.Duration { return of(o).P95 }),
		P99: middle(runs, func(o *record.Outcome) time.Duration { return of(o).P99 }),
		Max: middle(runs, func(o *record.Outcome) time.Duration { return of(o).Max }),
	}
}

// middle returns the median of a figure, of an even number of runs the lower one of two.
func middle[T cmp.Ordered](runs []record.Record, of func(*record.Outcome) T) T {
	var all []T
	for i := range runs {
		all = append(all, of(&runs[i].Outcome))
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}
