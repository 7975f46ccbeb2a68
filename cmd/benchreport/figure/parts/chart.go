package parts

import (
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/internal/anatomy"
)

// small is the share of a side below which a picture has a part among the others.
const small = .02

// Chart has a bar for each side, of pieces that are parts: X is the place of a part, and behind
// the last is the place of small ones.
func Chart(g *material.Group) chart.Chart {
	c := chart.Chart{Bars: true, Stacked: true}
	for _, s := range sidesOf(g) {
		c.Rounds = max(c.Rounds, s.rounds)
		if points := s.points(); len(points) > 0 {
			c.Series = append(c.Series, chart.Series{Framework: s.Framework, Label: s.label(), Style: s.Style, Beside: s.Rank() == rank.Beside, Points: points})
		}
	}
	for at, name := range pieces() {
		if slices.ContainsFunc(c.Series, func(s chart.Series) bool { return has(s, at) }) {
			c.Ticks = append(c.Ticks, chart.Tick{At: chart.Number(at), Name: name})
		}
	}
	return c
}

// pieces are the names of what a bar may have.
func pieces() (names []string) {
	for _, p := range anatomy.Parts() {
		names = append(names, p.Name)
	}
	return append(names, "other parts")
}

func has(s chart.Series, at int) bool {
	return slices.ContainsFunc(s.Points, func(p chart.Point) bool { return p[0] == chart.Number(at) })
}

// points are the pieces of a bar.
func (s *side) points() (list []chart.Point) {
	whole, others := mean(s.whole()), 0.
	for at, part := range s.of {
		if ns := mean(part.ns); ns < small*whole {
			others += ns
		} else if ns > 0 {
			list = append(list, piece(at, ns))
		}
	}
	if others > 0 {
		list = append(list, piece(len(s.of), others))
	}
	return list
}

func piece(at int, ns float64) chart.Point {
	return chart.Point{chart.Number(at), chart.Number(ns), chart.Number(ns), chart.Number(ns)}
}
