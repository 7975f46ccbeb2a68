package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Compact is the table of one panel as a README has it.
type Compact struct {
	Head   []string
	Ranked [][]string // by CPU, the least first, with their places
	Apart  [][]string // what is not ranked: what stands beside a ranked row, ours, references
	Noise  string     // a sentence: how far the rounds lie apart
}

// compactColumns are what stands beside the name, in units of this size.
var compactColumns = []struct {
	head, unit string
	size       float64
	exact      bool // not a measurement, and so not part of the noise
}{
	{"calls/s", "calls/s", 1, false},
	{"p50 ms", "p50-ns", 1e6, false},
	{"p99 ms", "p99-ns", 1e6, false},
	{"client CPU µs", "client-cpu-ns/op", 1e3, false},
	{"server CPU µs", "server-cpu-ns/op", 1e3, false},
	{"conns", "conns", 1, true},
}

// Compact makes the table of the panel that is called so, as in "Echo, 1KiB,
// 100 callers". The error names those that there are.
func (r *Report) Compact(panel string) (*Compact, error) {
	var names []string
	for _, g := range group(r.material.of(closed), none) {
		if g.title() == panel {
			return g.compact(), nil
		}
		names = append(names, g.title())
	}
	return nil, fmt.Errorf("no lines of %q: there are %s", panel, strings.Join(names, "; "))
}

func (g *lineGroup) compact() *Compact {
	c := &Compact{Head: []string{"framework (transport, codec, version)", "by CPU"}}
	for _, column := range compactColumns {
		c.Head = append(c.Head, column.head)
	}
	slices.SortStableFunc(g.variants, func(v, w *variant) int {
		return cmp.Or(cmp.Compare(order(v.rank()), order(w.rank())), cmp.Compare(w.rate(), v.rate()))
	})
	first := slices.IndexFunc(g.variants, func(v *variant) bool { return v.rank() != ranked })
	if first < 0 {
		first = len(g.variants)
	}
	var n noise
	places := byCPU(g.variants[:first])
	for i, v := range g.variants {
		at := ""
		if i < len(places) {
			at = places[i].String()
		}
		cells := append([]string{v.full(), at}, v.compactCells(&n)...)
		if i < first {
			c.Ranked = append(c.Ranked, cells)
		} else {
			c.Apart = append(c.Apart, cells)
		}
	}
	c.Noise = n.sentence()
	return c
}

func (v *variant) rate() float64 {
	if list := v.points(none, metric{value: "calls/s"}); len(list) > 0 {
		return median(list[0].values)
	}
	return 0
}

// full names a variant with its version.
func (v *variant) full() string {
	var words []string
	for _, k := range v.keys {
		if k != (lines.Key{Key: "codec", Value: "none"}) {
			words = append(words, k.Value)
		}
	}
	if version := versionOf(v.lines[0]); version != "" {
		words = append(words, version)
	}
	name := v.framework + map[string]string{reference: ", bare bytes", ours: ", our code"}[v.rank()]
	if len(words) == 0 {
		return name
	}
	return name + " (" + strings.Join(words, ", ") + ")"
}

func (v *variant) compactCells(n *noise) (cells []string) {
	for _, column := range compactColumns {
		list := v.points(none, metric{value: column.unit})
		if len(list) == 0 {
			cells = append(cells, missing)
			continue
		}
		values := list[0].values
		cells = append(cells, grouped(digits(median(values)/column.size)))
		if !column.exact {
			n.add(values, column.head+" of "+v.framework)
		}
	}
	return cells
}

// grouped sets thousands apart.
func grouped(number string) string {
	whole, rest, _ := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		whole += "." + rest
	}
	return whole
}

// noise is how far the rounds of each cell lie apart.
type noise struct {
	spreads []float64 // the farthest round's distance from the median, as part of it
	most    float64
	where   string // that is
	rounds  int
}

func (n *noise) add(values []float64, where string) {
	s := spread(values)
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
	return fmt.Sprintf("Medians of %d rounds; in half of the cells every round is within %.0f %% of its median, at worst %.0f %% off (%s). Rows that share places by CPU of both sides cannot be told apart.",
		n.rounds, 100*median(n.spreads), 100*n.most, n.where)
}

// spread is how far the farthest value is from the median, as part of it.
func spread(values []float64) float64 {
	mid := median(values)
	if mid == 0 {
		return 0
	}
	return max(slices.Max(values)-mid, mid-slices.Min(values)) / mid
}
