package rank

import (
	"fmt"
	"slices"
)

// Place is where a row stands in an order, from 1. Rows that the rounds cannot tell apart
// share places.
type Place struct{ best, worst int }

// String returns "2", or "2–4" for a row that shares places.
func (p Place) String() string {
	if p.best == p.worst {
		return fmt.Sprint(p.best)
	}
	return fmt.Sprintf("%d–%d", p.best, p.worst)
}

// Places orders rows by their values in all rounds, the least first. A row is before another
// if each of its rounds is below each of the other's. With three rounds this happens to two
// equal rows in 10 % of cases; with six in 0.2 %.
func Places(rows [][]float64) (list []Place) {
	for _, row := range rows {
		p := Place{1, len(rows)}
		for _, other := range rows {
			switch {
			case slices.Max(other) < slices.Min(row):
				p.best++
			case slices.Min(other) > slices.Max(row):
				p.worst--
			}
		}
		list = append(list, p)
	}
	return list
}
