package draw

import (
	"cmp"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// further are columns that some lines have: those with calls of two sizes, or over a network.
var further = []Column{
	{Head: "small p50 ms", Unit: "small-p50-ns", Size: 1e6},
	{Head: "small p99 ms", Unit: "small-p99-ns", Size: 1e6},
	{Head: "large p50 ms", Unit: "large-p50-ns", Size: 1e6},
	{Head: "large p99 ms", Unit: "large-p99-ns", Size: 1e6},
	{Head: "client window KiB", Unit: "client-window-B", Size: 1 << 10},
	{Head: "server window KiB", Unit: "server-window-B", Size: 1 << 10},
	{Head: "network CPU µs", Unit: "net-cpu-ns/op", Size: 1e3},
	{Head: "network busy %", Unit: "net-busy-%", Size: 1},
	{Head: "network lost %", Unit: "net-lost-%", Size: 1},
}

// Calls is the table of calls over an axis, with columns of its benchmark's own before those
// of rates and times, and behind them. Columns that no line has are left out.
func Calls(m *material.Material, g *material.Group, a material.Axis, first, last []Column) table.Table {
	t := table.Table{Title: panel(g).String(), Text: 1, Head: append([]string{"framework", a.Title}, heads(first)...)}
	t.Head = append(t.Head, "calls/s", "lowest", "highest", "MB/s", "min ms", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "max ms")
	last = append(slices.Clone(last), Column{Head: "retries", Unit: "retries/op", Size: 1})
	t.Head = slices.Concat(t.Head, heads(last), []string{"errors"}, heads(further))
	for _, v := range g.Variants {
		for _, r := range v.Points(a, material.Metric{Value: "calls/s"}) {
			one := v.Of(r.Lines)
			row := append([]string{v.Label, cmp.Or(r.Name, offered(r), number.Missing)}, cells(one, first)...)
			row = append(append(row, Median(r.Values, 1)), rateAndTimes(m, one)...)
			row = append(append(row, cells(one, last)...), errors(r.Lines))
			t.Rows = append(t.Rows, append(row, cells(one, further)...))
		}
	}
	t = t.Without("errors", "0", number.Missing).Without(a.Title, number.Missing)
	for _, head := range slices.Concat([]string{"lowest", "highest", "MB/s", "min ms", "mean ms", "max ms"}, heads(first), heads(last), heads(further)) {
		t = t.Without(head, number.Missing)
	}
	return t
}

// rateAndTimes are the cells from lowest to max ms.
func rateAndTimes(m *material.Material, one *material.Variant) []string {
	row := cells(one, []Column{{Unit: "low-calls/s", Size: 1}, {Unit: "high-calls/s", Size: 1}, {Unit: "MB/s", Size: 1}})
	for _, unit := range []string{"min-ns", "mean-ns", "p50-ns", "p99-ns", "p99.9-ns", "max-ns"} {
		row = append(row, millis(m, one, unit))
	}
	return row
}

// millis is the median of a time's rounds, or where lines have none what the records say: the
// mean and the maximum of all rounds together.
func millis(m *material.Material, one *material.Variant, unit string) string {
	h := m.Notes.Response(one.Lines[0])
	switch cell := (Column{Unit: unit, Size: 1e6}).Of(one); {
	case cell == number.Missing && h != nil && unit == "mean-ns":
		return number.Digits(h.Mean() / 1e6)
	case cell == number.Missing && h != nil && unit == "max-ns":
		return number.Digits(float64(h.Max()) / 1e6)
	default:
		return cell
	}
}

// offered is X where no key names it; "" for none.
func offered(r *material.Repeats) string {
	if len(r.Xs) == 0 || r.Xs[0] == 0 {
		return ""
	}
	return number.Digits(pairs.Median(r.Xs))
}

// errors adds up the errors of all rounds.
func errors(list []lines.Line) string {
	sum := 0.
	for _, l := range list {
		sum += l.Values["errors"]
	}
	return number.Digits(sum)
}
