package draw

import (
	"math"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Column is one unit of lines in a table.
type Column struct {
	Head, Unit string
	Size       float64 // of the unit in a cell, in units of the line
	Cell       Cell    // nil: Median
	// Values are what is shown of a variant, instead of a unit; nil: those of Unit.
	Values func(v *material.Variant) []float64
}

// Cell writes the values of a unit, one at least, in units of a size.
type Cell func(values []float64, size float64) string

// Median is a cell that is the median of the rounds.
func Median(values []float64, size float64) string {
	return number.Digits(pairs.Median(values) / size)
}

// Tenths is a cell that is the median to a tenth: a process has some goroutines more or less.
func Tenths(values []float64, size float64) string {
	return number.Digits(math.Round(pairs.Median(values)/size*10) / 10)
}

// Whole is a cell that is the median without its fraction.
func Whole(values []float64, size float64) string {
	return number.Digits(math.Round(pairs.Median(values) / size))
}

// WithSpread is a cell that is the median, and of several rounds their spread.
func WithSpread(values []float64, size float64) string {
	scaled := make([]float64, len(values))
	for i, value := range values {
		scaled[i] = value / size
	}
	return number.WithSpread(scaled)
}

// CPU are the columns of the CPU time of a call.
func CPU() []Column {
	return []Column{
		{Head: "CPU µs", Values: (*material.Variant).CPU, Size: 1e3},
		{Head: "client CPU µs", Unit: "client-cpu-ns/op", Size: 1e3},
		{Head: "server CPU µs", Unit: "server-cpu-ns/op", Size: 1e3},
	}
}

// Of is a variant's cell.
func (c Column) Of(v *material.Variant) string {
	values := v.Values(c.Unit)
	if c.Values != nil {
		values = c.Values(v)
	}
	switch {
	case len(values) == 0:
		return number.Missing
	case c.Cell == nil:
		return Median(values, c.Size)
	}
	return c.Cell(values, c.Size)
}

// Columns is a table with a row for each variant of a group.
func Columns(g *material.Group, note string, columns ...Column) table.Table {
	t := table.Table{Title: g.Title(), Text: 1, Note: note, Head: append([]string{"framework"}, heads(columns)...)}
	for _, v := range g.Variants {
		t.Rows = append(t.Rows, append([]string{v.Label}, cells(v, columns)...))
	}
	return t
}

func heads(columns []Column) (list []string) {
	for _, c := range columns {
		list = append(list, c.Head)
	}
	return list
}

func cells(v *material.Variant, columns []Column) (list []string) {
	for _, c := range columns {
		list = append(list, c.Of(v))
	}
	return list
}
