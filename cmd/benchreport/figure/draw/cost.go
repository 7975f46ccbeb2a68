package draw

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// achieved is the least part of an offered rate that counts as the whole of it.
const achieved = .99

// Costs has a table for each panel of calls at offered rates whose lines have CPU times of
// both sides.
func Costs(m *material.Material, list []lines.Line) (costs []table.Cost) {
	for _, g := range m.Group(list, material.Rates()) {
		if c := costOf(g); len(c.Rows) > 0 {
			costs = append(costs, c)
		}
	}
	return costs
}

// spent is what a variant spends at a rate.
type spent struct {
	client, server float64 // ns
	part           float64 // of the offered rate that was achieved
}

func (s *spent) sum() float64 { return s.client + s.server }

// holds reports whether there is such a cost, at the whole of the rate.
func (s *spent) holds() bool { return s != nil && s.part >= achieved-1e-9 }

func (s *spent) cell() table.CostCell {
	if s == nil {
		return table.CostCell{Text: number.Missing}
	}
	micros := func(ns float64) string { return number.Digits(ns / 1e3) }
	return table.CostCell{Text: fmt.Sprintf("%s (%s + %s)", micros(s.sum()), micros(s.client), micros(s.server)), Struck: !s.holds()}
}

// spender is a variant with what it spends by the names of the rates.
type spender struct {
	name string
	at   map[string]*spent
}

func costOf(g *material.Group) table.Cost {
	var list []spender
	values := map[string]float64{} // of the rates
	for _, v := range g.Variants {
		s := spender{v.Label, spends(v)}
		if len(s.at) == 0 {
			continue
		}
		for name := range s.at {
			values[name] = number.Positive(name)
		}
		list = append(list, s)
	}
	names := slices.SortedFunc(maps.Keys(values), func(a, b string) int { return cmp.Or(cmp.Compare(values[a], values[b]), cmp.Compare(a, b)) })
	if len(names) == 0 {
		return table.Cost{}
	}
	by := mostHeld(list, names)
	slices.SortStableFunc(list, func(a, b spender) int { return compare(a.at[by], b.at[by]) })
	return tabled(panel(g).String(), list, names, by)
}

// spends returns the medians of the rounds at each rate.
func spends(v *material.Variant) map[string]*spent {
	at := map[string]*spent{}
	for _, r := range v.Points(material.Rates(), material.Metric{Compute: achievedPart}) {
		one := v.Of(r.Lines)
		client, server := one.Values("client-cpu-ns/op"), one.Values("server-cpu-ns/op")
		if r.Name != "" && len(client) > 0 && len(server) > 0 {
			at[r.Name] = &spent{pairs.Median(client), pairs.Median(server), pairs.Median(r.Values)}
		}
	}
	return at
}

// achievedPart is how much of its offered rate a line achieved.
func achievedPart(l lines.Line) (part float64, ok bool) {
	return l.Values["calls/s"] / material.OfferedRate(l), true
}

// mostHeld is the rate that most variants achieve; of several the highest.
func mostHeld(list []spender, names []string) (name string) {
	most := -1
	for _, n := range names {
		held := 0
		for _, s := range list {
			if s.at[n].holds() {
				held++
			}
		}
		if held >= most {
			name, most = n, held
		}
	}
	return name
}

// compare orders costs: the least first, then those that do not hold, then none.
func compare(a, b *spent) int {
	order := func(s *spent) int {
		switch {
		case s.holds():
			return 0
		case s != nil:
			return 1
		}
		return 2
	}
	if by := cmp.Compare(order(a), order(b)); by != 0 || a == nil {
		return by
	}
	return cmp.Compare(a.sum(), b.sum())
}

func tabled(title string, list []spender, names []string, by string) table.Cost {
	c := table.Cost{Title: title, Head: []string{"framework"}}
	c.Note = "CPU time of a call on both sides in µs, and in brackets that of client + server; medians of the rounds. The least is first at " + by + " calls/s, the rate that most achieved."
	struck := false
	for _, name := range names {
		c.Head = append(c.Head, name+" calls/s")
	}
	for _, s := range list {
		row := table.CostRow{Name: s.name}
		for _, name := range names {
			cell := s.at[name].cell()
			row.Cells, struck = append(row.Cells, cell), struck || cell.Struck
		}
		c.Rows = append(c.Rows, row)
	}
	if struck {
		c.Note += " Struck out is a cost where less than 99 % of the rate was achieved: it is that of another rate."
	}
	return c
}
