package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Compact is the table of one panel as a README has it.
type Compact struct {
	Head   []string
	Ranked [][]string // by CPU, the least first, with their places
	Apart  [][]string // what is not ranked: what stands beside a ranked row, ours, references
	Noise  string     // a sentence: how far the rounds lie apart
}

// compactColumns are what stands beside the name.
var compactColumns = []Column{
	{Head: "calls/s", Unit: "calls/s", Size: 1},
	{Head: "p50 ms", Unit: "p50-ns", Size: 1e6},
	{Head: "p99 ms", Unit: "p99-ns", Size: 1e6},
	{Head: "client CPU µs", Unit: "client-cpu-ns/op", Size: 1e3},
	{Head: "server CPU µs", Unit: "server-cpu-ns/op", Size: 1e3},
	{Head: "conns", Unit: exact, Size: 1},
}

// exact is the unit that is no measurement, and so no part of the noise.
const exact = "conns"

// CompactOf makes the table of a panel.
func CompactOf(g *material.Group) *Compact {
	c := &Compact{Head: []string{"framework (transport, codec, version)", "by CPU"}}
	for _, column := range compactColumns {
		c.Head = append(c.Head, column.Head)
	}
	slices.SortStableFunc(g.Variants, func(v, w *material.Variant) int {
		return cmp.Or(cmp.Compare(rank.Order(v.Rank()), rank.Order(w.Rank())), cmp.Compare(w.Middle("calls/s"), v.Middle("calls/s")))
	})
	first := slices.IndexFunc(g.Variants, func(v *material.Variant) bool { return v.Rank() != rank.Ranked })
	if first < 0 {
		first = len(g.Variants)
	}
	var n noise
	places := byCPU(g.Variants[:first])
	for i, v := range g.Variants {
		at := ""
		if i < len(places) {
			at = places[i].String()
		}
		cells := append([]string{fullName(v), at}, compactCells(v, &n)...)
		if i < first {
			c.Ranked = append(c.Ranked, cells)
		} else {
			c.Apart = append(c.Apart, cells)
		}
	}
	c.Noise = n.sentence()
	return c
}

// fullName names a variant with its version.
func fullName(v *material.Variant) string {
	var words []string
	for _, k := range v.Keys {
		if k != (lines.Key{Key: "codec", Value: "none"}) {
			words = append(words, k.Value)
		}
	}
	if version := rank.Version(v.Lines[0]); version != "" {
		words = append(words, version)
	}
	name := v.Framework + map[string]string{rank.Reference: ", bare bytes", rank.Ours: ", our code"}[v.Rank()]
	if len(words) == 0 {
		return name
	}
	return name + " (" + strings.Join(words, ", ") + ")"
}

func compactCells(v *material.Variant, n *noise) (cells []string) {
	for _, column := range compactColumns {
		cells = append(cells, number.Grouped(column.Of(v)))
		if values := v.Values(column.Unit); len(values) > 0 && column.Unit != exact {
			n.add(values, column.Head+" of "+v.Framework)
		}
	}
	return cells
}

// noise is how far the rounds of each cell lie apart.
type noise struct {
	spreads []float64 // the farthest round's distance from the median, as part of it
	most    float64
	where   string // that is
	rounds  int
}

func (n *noise) add(values []float64, where string) {
	s := number.Spread(values)
	n.spreads = append(n.spreads, s)
	n.rounds = max(n.rounds, len(values))
	if s > n.most {
		n.most, n.where = s, where
	}
}

func (n *noise) sentence() string {
	if n.rounds < 2 {
		return "One round: nothing tells how far another would differ."
	}
	return fmt.Sprintf("Medians of %d rounds; in half of the cells every round is within %.0f %% of its median, at worst %.0f %% off (%s). Equal places by CPU of both sides: no measurable difference.",
		n.rounds, 100*pairs.Median(n.spreads), 100*n.most, n.where)
}

// byCPU sorts variants by the CPU time of a call on both sides, which is steadier than
// calls/s, and returns their places. Where lines have no CPU times the order stays as it is,
// and there are no places.
func byCPU(ranked []*material.Variant) []rank.Place {
	if slices.ContainsFunc(ranked, func(v *material.Variant) bool { return v.CPU() == nil }) {
		return nil
	}
	var rows [][]float64
	slices.SortStableFunc(ranked, func(v, w *material.Variant) int {
		return cmp.Compare(pairs.Median(v.CPU()), pairs.Median(w.CPU()))
	})
	for _, v := range ranked {
		rows = append(rows, v.CPU())
	}
	return rank.Places(rows)
}
