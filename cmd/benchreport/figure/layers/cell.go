package layers

import (
	"fmt"
	"math"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/paired"
)

// bound is the part of a base's CPU time below which a difference is not told.
const bound = .03

// precise is the half of an interval that is narrow enough, as part of the difference.
const precise = .1

// told is what the cells of a table say, for its note.
type told struct {
	rounds  paired.Rounds
	small   int  // cells below bound
	wide    bool // some cells are not precise
	missing bool // rounds are
}

// cell is the difference in the unit of the base, and in per cent of it; usual is the median
// of the base in all rounds.
func (s *told) cell(q quantity, usual float64, bases, others []float64) string {
	c := paired.ChangeOf(bases, others)
	s.rounds.Add(c)
	if q.bounded && c.Within(bound) {
		s.small++
		return fmt.Sprintf("< %.0f %%", 100*bound)
	}
	unit := usual / q.Size
	if c.Open() {
		s.wide = true
		return fmt.Sprintf("%s (%s %%) ?", signed(c.Value*unit, 0), signed(100*c.Value, 0))
	}
	text := fmt.Sprintf("%s (%s %%)", signed(c.Value*unit, c.Half*unit), signed(100*c.Value, 100*c.Half))
	if c.Half > precise*math.Abs(c.Value) {
		s.wide = true
		text += " ?"
	}
	return text
}

// signed is a difference with half of its interval, both with the same number of digits
// behind the point; half is left out if it is 0.
func signed(v, half float64) string {
	sign, text := "+", number.Digits(math.Round(math.Abs(v)*1e6)/1e6)
	if half > 1e-9*math.Abs(v) {
		places := placesFor(half)
		text = fmt.Sprintf("%.*f ±%.*f", places, math.Abs(v), places, half)
	}
	switch {
	case v < 0:
		sign = "−"
	case v == 0:
		sign = ""
	}
	return sign + text
}

// placesFor is how many digits behind the point show the first digit of a value, or the
// first two if it begins with 1 or 2.
func placesFor(v float64) int {
	for places, limit := 0, 3.; places < 3; places, limit = places+1, limit/10 {
		if v >= limit {
			return places
		}
	}
	return 3
}

// note says how to read the table.
func (s *told) note() string {
	text := fmt.Sprintf("What is added to the base, in its unit and in per cent of it: the ratio of the two in a round (the median of pairwise means), times the median base; ± the farther end of its 95 %% interval. The rounds: %s.", &s.rounds)
	if s.rounds.Open {
		text += " It takes 6 rounds for an interval."
	}
	if s.missing {
		text += " –: rounds are missing."
	}
	if s.small > 0 {
		text += fmt.Sprintf(" < %.0f %%: the interval is between −%[1]g %% and %[1]g %% of the base.", 100*bound)
	}
	if s.wide {
		text += fmt.Sprintf(" ?: the interval is wider than ±%.0f %% of the difference itself.", 100*precise)
	}
	return text
}
