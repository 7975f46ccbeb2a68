// Package catalog prints which variants there are and how they are set up, in Markdown.
package catalog

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/bench"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// Print prints a table of all variants, and below it, by framework, how both sides are set
// up.
func Print(w io.Writer, targets []plan.Target) {
	head := []string{"framework", "transport", "codec", "options", "connections", "calls", "streams", "several servers", "largest"}
	printRow(w, head)
	printRow(w, slices.Repeat([]string{"---"}, len(head)))
	for _, row := range variantRows(targets) {
		printRow(w, row)
	}
	for _, group := range byFramework(targets) {
		printSetUps(w, group)
	}
}

func printRow(w io.Writer, cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }

// Columns of the table in which rows that are otherwise alike are joined.
const (
	codecColumn   = 2
	optionsColumn = 3
)

// variantRows returns the rows of the table. Variants that differ in the codec alone, or in
// the options alone, share a row.
func variantRows(targets []plan.Target) (rows [][]string) {
	for _, v := range targets {
		rows = append(rows, []string{
			v.Framework, v.Transport, v.Codec, cmp.Or(strings.TrimPrefix(v.OptionalKeys(), "/"), "default"),
			strings.Join(bench.ConnModels(v.Sharing), ", "), strings.Join(bench.Calls(v.Variant), ", "), streaming(v), balancing(v), largest(v),
		})
	}
	return joinRows(joinRows(rows, codecColumn), optionsColumn)
}

// joinRows joins rows that differ in one column alone. They stand where the first of them
// stood, with their cells in a list.
func joinRows(rows [][]string, column int) (joined [][]string) {
	for _, row := range rows {
		i := slices.IndexFunc(joined, func(r []string) bool { return alike(r, row, column) })
		if i < 0 {
			joined = append(joined, slices.Clone(row))
			continue
		}
		joined[i][column] += ", " + row[column]
	}
	return joined
}

func alike(a, b []string, except int) bool {
	return slices.Equal(slices.Delete(slices.Clone(a), except, except+1), slices.Delete(slices.Clone(b), except, except+1))
}

func streaming(v plan.Target) string {
	if v.Streams {
		return "yes"
	}
	return ""
}

func balancing(v plan.Target) string {
	if v.DialAll == nil {
		return "a client each"
	}
	return "balanced"
}

func largest(v plan.Target) string {
	if v.MaxMessage == 0 {
		return ""
	}
	return plan.FormatSize(v.MaxMessage)
}
