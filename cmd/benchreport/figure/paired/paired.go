// Package paired compares lines that were measured in one round of each other.
package paired

import (
	"fmt"
	"math"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Quantity is what is compared.
type Quantity struct {
	Title string
	Head  string   // of the column of its values, which says the unit
	Units []string // of lines, whose values are added up
	Size  float64  // of a value in the column, in units of the line
}

// Of is the quantity of some units.
func Of(title, head string, size float64, units ...string) Quantity {
	return Quantity{title, head, units, size}
}

// Value is the sum of a line's units, if it has all and they are above 0.
func (q Quantity) Value(l lines.Line) (sum float64, ok bool) {
	for _, unit := range q.Units {
		v := l.Values[unit]
		if v <= 0 {
			return 0, false
		}
		sum += v
	}
	return sum, true
}

// Pair is two lines of one round.
type Pair struct{ Base, Other lines.Line }

// Values returns the values of pairs in which both lines have one. A percentile of too few
// calls has no values.
func (q Quantity) Values(ks *material.Kinds, list []Pair) (bases, others []float64) {
	slowerBase, slowerOther := 0., 0.
	for _, p := range list {
		base, ok := q.Value(p.Base)
		other, also := q.Value(p.Other)
		if !ok || !also {
			continue
		}
		bases, others = append(bases, base), append(others, other)
		slowerBase, slowerOther = slowerBase+ks.Slower(p.Base, q.Units[0]), slowerOther+ks.Slower(p.Other, q.Units[0])
	}
	if !material.Enough(min(slowerBase, slowerOther)) {
		return nil, nil
	}
	return bases, others
}

// Change is how much others differ from their bases, as a part of the base.
type Change struct {
	pairs.Change
	Half float64 // from Value to the farther end of its interval; infinite without an interval
}

// ChangeOf compares values that are paired by their order, one at least.
func ChangeOf(bases, others []float64) Change {
	c := pairs.CompareAt(pairs.Usual, bases, others, pairs.Relative)
	return Change{c, max(c.High-c.Value, c.Value-c.Low)}
}

// Open reports whether there are too few rounds for an interval.
func (c Change) Open() bool { return math.IsInf(c.Half, 0) }

// Rounds counts those of the cells of a table.
type Rounds struct {
	Cells        int
	Open         bool // a cell has no interval
	fewest, most int
}

// Add counts a cell.
func (r *Rounds) Add(c Change) {
	if r.Cells++; r.Cells == 1 {
		r.fewest = c.Pairs
	}
	r.fewest, r.most = min(r.fewest, c.Pairs), max(r.most, c.Pairs)
	r.Open = r.Open || c.Open()
}

// String is how many rounds the cells have, as in "5" or "3–5".
func (r *Rounds) String() string {
	if r.most > r.fewest {
		return fmt.Sprintf("%d–%d", r.fewest, r.most)
	}
	return fmt.Sprint(r.fewest)
}
