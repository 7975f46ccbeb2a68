package figure

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Cost is a table of the CPU time of a call at offered rates that are equal for all:
// nobody saves work by batches that only a full queue makes.
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

// achieved is the least part of an offered rate that counts as the whole of it.
const achieved = .99

// costs are of all panels of an open loop whose lines have CPU times of both sides. A
// client that stays awake until a call is due spends CPU time on waiting, so its lines
// count only where there are no others.
func (m *material) costs() (list []Cost) {
	from, more := m.lines[quiet], ""
	if len(from) == 0 {
		from, more = m.lines[open], waiting
	}
	for _, g := range group(from, rates) {
		if c := g.cost(); len(c.Rows) > 0 {
			c.Note += more
			list = append(list, c)
		}
	}
	return list
}

// waiting is said of a client that stays awake.
const waiting = " The client's time also holds the waiting of a load generator that stays awake until calls are due, up to all of its CPU: lines with -wait=quiet do without."

// spent is what a variant spends at a rate.
type spent struct {
	client, server float64 // ns
	part           float64 // of the offered rate that was achieved
}

func (s *spent) sum() float64 { return s.client + s.server }

// holds reports whether there is such a cost, at the whole of the rate.
func (s *spent) holds() bool { return s != nil && s.part >= achieved-1e-9 }

func (s *spent) cell() CostCell {
	if s == nil {
		return CostCell{Text: missing}
	}
	micros := func(ns float64) string { return digits(ns / 1e3) }
	return CostCell{fmt.Sprintf("%s (%s + %s)", micros(s.sum()), micros(s.client), micros(s.server)), !s.holds()}
}

// spender is a variant with what it spends by the names of the rates.
type spender struct {
	name string
	at   map[string]*spent
}

func (g *lineGroup) cost() Cost {
	var list []spender
	values := map[string]float64{} // of the rates
	for _, v := range g.variants {
		s := spender{v.label, v.spends()}
		if len(s.at) == 0 {
			continue
		}
		for name := range s.at {
			values[name] = float(name)
		}
		list = append(list, s)
	}
	names := slices.SortedFunc(maps.Keys(values), func(a, b string) int { return cmp.Or(cmp.Compare(values[a], values[b]), cmp.Compare(a, b)) })
	if len(names) == 0 {
		return Cost{}
	}
	by := mostHeld(list, names)
	slices.SortStableFunc(list, func(a, b spender) int { return compare(a.at[by], b.at[by]) })
	return tabled(g.title(), list, names, by)
}

// spends returns the medians of the rounds at each rate.
func (v *variant) spends() map[string]*spent {
	at := map[string]*spent{}
	for _, r := range v.points(rates, metric{of: achievedPart}) {
		one := &variant{lines: r.lines}
		client, server := one.points(none, metric{value: "client-cpu-ns/op"}), one.points(none, metric{value: "server-cpu-ns/op"})
		if r.name != "" && len(client) > 0 && len(server) > 0 {
			at[r.name] = &spent{median(client[0].values), median(server[0].values), median(r.values)}
		}
	}
	return at
}

// achievedPart is how much of its offered rate a line achieved.
func achievedPart(l lines.Line) (float64, bool) { return l.Values["calls/s"] / offeredBy(l), true }

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

func tabled(title string, list []spender, names []string, by string) Cost {
	c := Cost{Title: title, Head: []string{"framework"}}
	c.Note = "CPU time of a call on both sides in µs, and in brackets that of client + server; medians of the rounds. The least is first at " + by + " calls/s, the rate that most achieved."
	struck := false
	for _, name := range names {
		c.Head = append(c.Head, name+" calls/s")
	}
	for _, s := range list {
		row := CostRow{Name: s.name}
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
