package view

import (
	"fmt"
	"math"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// footprint shows starts of programs that contain a framework.
func footprint() *View {
	return &View{
		Kind: material.Kind{
			Is: func(l lines.Line) bool {
				return l.Base == "Footprint" && has(l, "binary-B") && has(l, "first-reply-ns")
			},
		},
		Title: "Footprint", Why: "no lines of BenchmarkFootprint: run make footprint and give its text as well",
		Axis:  material.None(),
		Table: footprintTable,
	}
}

const (
	megabyte        = 1e6 // in bytes
	aboutFootprints = "Each program is the adapter of one framework, stripped. Times run from exec until its server listens, and until a client has the first reply. RSS and goroutines are the server's at rest. Added is what a program has more than the first row of raw TCP."
)

// footprintTable has the smallest programs first, and the references last.
func footprintTable(g *material.Group) table.Table {
	g.SortBy("binary-B")
	added := func(unit string) draw.Cell { return addedTo(reference(g, unit)) }
	t := draw.Columns(
		g, aboutFootprints+starts(g),
		draw.Column{Head: "binary MB", Unit: "binary-B", Size: megabyte, Cell: aboveNone},
		draw.Column{Head: "added MB", Unit: "binary-B", Size: megabyte, Cell: added("binary-B")},
		draw.Column{Head: "modules", Unit: "modules", Size: 1},
		draw.Column{Head: "listens ms", Unit: "listen-ns", Size: 1e6, Cell: withHalf},
		draw.Column{Head: "first reply ms", Unit: "first-reply-ns", Size: 1e6, Cell: withHalf},
		draw.Column{Head: "RSS MB", Unit: "server-rss-B", Size: megabyte, Cell: aboveNone},
		draw.Column{Head: "added RSS MB", Unit: "server-rss-B", Size: megabyte, Cell: added("server-rss-B")},
		draw.Column{Head: "goroutines", Unit: "server-goroutines", Size: 1},
	)
	for i, v := range g.Variants {
		if v.Rank() == rank.Reference {
			for _, head := range []string{"added MB", "added RSS MB"} {
				t.Rows[i][slices.Index(t.Head, head)] = number.Missing
			}
		}
	}
	for _, column := range []string{"added MB", "added RSS MB", "RSS MB"} {
		t = t.Without(column, number.Missing)
	}
	return t
}

// aboveNone is a cell that is the median, which is not known if it is 0.
func aboveNone(values []float64, size float64) string {
	if pairs.Median(values) == 0 {
		return number.Missing
	}
	return draw.Median(values, size)
}

// reference is what the first reference has of a unit; 0 if none has it.
func reference(g *material.Group, unit string) float64 {
	for _, v := range g.Variants {
		if has := v.Middle(unit); v.Rank() == rank.Reference && has > 0 {
			return has
		}
	}
	return 0
}

// addedTo is a cell that is what a program has more than the reference.
func addedTo(reference float64) draw.Cell {
	return func(values []float64, size float64) string {
		has := pairs.Median(values)
		if has == 0 || reference == 0 {
			return number.Missing
		}
		return number.Digits((has - reference) / size)
	}
}

// starts says how often each program was started.
func starts(g *material.Group) string {
	most := 0
	for _, v := range g.Variants {
		most = max(most, len(v.Lines))
	}
	if most < 2 {
		return ""
	}
	return fmt.Sprintf(" Medians of %d starts; half of the starts are as near to the median as ± says.", most)
}

// withHalf is a cell that is the median, and how far half of the starts are from it at most.
// The slowest of several starts says more about the machine than about the program.
func withHalf(values []float64, size float64) string {
	middle := pairs.Median(values)
	text := number.Digits(middle / size)
	if len(values) == 1 || middle == 0 {
		return text
	}
	var distances []float64
	for _, v := range values {
		distances = append(distances, math.Abs(v-middle))
	}
	return fmt.Sprintf("%s ±%.0f %%", text, 100*pairs.Median(distances)/middle)
}
