// Package ranking makes the one table that answers which framework, or which serializer,
// costs least: like with like in its rows, ordered by CPU time, and in lines below it what is
// not ranked.
package ranking

import (
	"math"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Table is the ranking of one panel.
type Table struct {
	Title   string // of the panel, as in "Echo, 1KiB, 100 callers"
	About   string // what all rows have in common besides, as in "1 core a side, 6 rounds"
	Columns []Column
	Rows    [][]Cell // the best first, each as long as Columns
	Below   []Aside
	Notes   []string // how to read it, in sentences
	// Versions name the release of each framework in the rows, as in "grpc v1.85.0".
	Versions []string
}

// Column is the head of a column.
type Column struct {
	Group string // what neighbours have in common, as in "latency ms"; "" for none
	Head  string
	Words bool // rather than numbers
	Spare int  // where there is no room for all, columns with the largest go first; 0 stays
}

// Names reports whether a column says what a row is of.
func (c Column) Names() bool {
	return c.Head == "framework" || c.Head == "serializer" || c.Head == "run"
}

// Cell is a text in a row.
type Cell struct {
	Text string
	Wide bool // its interval is
}

// Aside is what stands below the rows, in one line.
type Aside struct {
	Name  string
	Items []string // as in "kitex thrift 16.2"
}

// wide is half of an interval, as a part of the figure, from which a figure is marked. On a
// quiet machine six rounds have CPU times within 5 %, and a p99 within 20 %.
const wide = .10

// equalNote says what equal places are.
const equalNote = "Equal places: no measurable difference."

// wideNote says what the mark of a cell is.
const wideNote = "? the 95 % interval is wider than ±10 %."

// isWide reports whether a figure has an interval, which takes six rounds, and a wide one.
func isWide(values []float64) bool {
	half := pairs.Half(values)
	return half > wide && !math.IsInf(half, 1)
}

// cell writes the median of a figure in units of a size.
func cell(values []float64, size float64) Cell {
	if len(values) == 0 {
		return Cell{Text: number.Missing}
	}
	return Cell{number.Digits(pairs.Median(values) / size), isWide(values)}
}

// placesOf are the places of rows by their values in all rounds; "" for a row without values.
func placesOf(rows [][]float64) []string {
	isNil := func(values []float64) bool { return values == nil }
	texts, places := make([]string, len(rows)), rank.Places(slices.DeleteFunc(slices.Clone(rows), isNil))
	for i, values := range rows {
		if values != nil {
			texts[i], places = places[0].String(), places[1:]
		}
	}
	return texts
}

// noted adds what the marks mean, if there are any.
func (t *Table) noted() {
	marked := func(row []Cell) bool { return slices.ContainsFunc(row, func(c Cell) bool { return c.Wide }) }
	if slices.ContainsFunc(t.Rows, marked) {
		t.Notes = append(t.Notes, wideNote)
	}
}

// withoutEmpty leaves out columns in which no row has a figure.
func (t *Table) withoutEmpty() {
	for i := len(t.Columns) - 1; i >= 0; i-- {
		has := func(row []Cell) bool { return row[i].Text != number.Missing && row[i].Text != "" }
		if len(t.Rows) > 0 && slices.ContainsFunc(t.Rows, has) {
			continue
		}
		t.Columns = slices.Delete(t.Columns, i, i+1)
		for j, row := range t.Rows {
			t.Rows[j] = slices.Delete(row, i, i+1)
		}
	}
}
