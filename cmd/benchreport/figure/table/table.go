// Package table holds tables as text in rows.
package table

import (
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
)

// Table is text in rows.
type Table struct {
	Title string
	Text  int // how many columns, the first, are words; the others are numbers
	Head  []string
	Rows  [][]string // each as long as Head
	// Note and Measured are for tables of lines of their own: how to read them, in
	// sentences, and their machine, date and commit.
	Note     string
	Measured []fact.Fact
	Section  string   // the ID of the section of charts that it explains; "" for none
	Faint    [][]bool // the cells of the first rows that rest on little; nil: no cell does
}

// IsFaint reports whether a cell rests on little.
func (t Table) IsFaint(row, column int) bool { return row < len(t.Faint) && t.Faint[row][column] }

// Plain are the rows where text has no colours: cells that rest on little are in brackets.
func (t Table) Plain() (rows [][]string) {
	for i, row := range t.Rows {
		row = slices.Clone(row)
		for j := range row {
			if t.IsFaint(i, j) {
				row[j] = "(" + row[j] + ")"
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Without leaves out a column of which all rows have one of the values.
func (t Table) Without(column string, values ...string) Table {
	at := slices.Index(t.Head, column)
	if slices.ContainsFunc(t.Rows, func(row []string) bool { return !slices.Contains(values, row[at]) }) {
		return t
	}
	t.Head = slices.Delete(slices.Clone(t.Head), at, at+1)
	for i, row := range t.Rows {
		t.Rows[i] = slices.Delete(row, at, at+1)
	}
	return t
}

// Cost is a table of the CPU time of a call at offered rates, which are equal for all: none
// saves work by the batches that only a full queue makes.
type Cost struct {
	Title string
	Note  string   // what a cell is, by what rows are sorted, and why some are struck out
	Head  []string // the variant, and each rate
	Rows  []CostRow
}

// CostRow is a variant's.
type CostRow struct {
	Name  string
	Cells []CostCell // one for each rate
}

// CostCell is the time at one rate.
type CostCell struct {
	Text   string // in µs, as in "144 (105 + 39.4)"
	Struck bool   // the rate was not achieved
}
