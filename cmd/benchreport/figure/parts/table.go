package parts

import (
	"fmt"
	"math"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/anatomy"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Table has a row for each part that has a sample, and a column for each side.
func Table(g *material.Group) table.Table {
	list := sidesOf(g)
	t := table.Table{Title: "Parts of a call: " + g.Title(), Text: 1, Head: []string{"µs of CPU"}}
	for _, s := range list {
		t.Head = append(t.Head, s.label())
	}
	var shown []string
	for at, part := range anatomy.Parts() {
		if row, faint := rowOf(list, at); row != nil {
			t.Rows, t.Faint = append(t.Rows, append([]string{part.Name}, row...)), append(t.Faint, append([]bool{false}, faint...))
			shown = append(shown, part.Name+" ("+part.About+")")
		}
	}
	t.Rows = append(t.Rows, foot(list, "whole", func(s *side) string { return cellOf(s.whole(), s) }), foot(list, "samples", samples))
	t.Note = note(list) + " The parts: " + strings.Join(shown, "; ") + "."
	return t
}

// rowOf is what sides have of a part, and which of that rests on few samples; nil if none has
// any.
func rowOf(list []*side, at int) (row []string, faint []bool) {
	some := false
	for _, s := range list {
		part := s.of[at]
		there := part.samples > 0 || mean(part.ns) > 0
		some = some || there
		cell := number.Missing
		if there {
			cell = cellOf(part.ns, s)
		}
		row, faint = append(row, cell), append(faint, there && part.samples < anatomy.FewSamples)
	}
	if !some {
		return nil, nil
	}
	return row, faint
}

func foot(list []*side, head string, cell func(s *side) string) []string {
	row := []string{head}
	for _, s := range list {
		row = append(row, cell(s))
	}
	return row
}

// samples is how many all parts have together.
func samples(s *side) string {
	sum := 0.
	for _, part := range s.of {
		sum += part.samples
	}
	return number.Digits(sum)
}

// cellOf is the mean of the rounds, how far it is from the farther end of its interval, and its
// share of the side.
func cellOf(ns []float64, s *side) string {
	middle, half := mean(ns)/1e3, halfOf(ns)/1e3
	text := fmt.Sprintf("%.2f ±%.2f", middle, half)
	if math.IsInf(half, 0) {
		text = fmt.Sprintf("%.2f ?", middle)
	}
	whole := mean(s.whole()) / 1e3
	if whole == 0 {
		return text
	}
	return text + fmt.Sprintf(", %.1f %%", 100*middle/whole)
}

// halfOf is infinite for too few rounds.
func halfOf(ns []float64) float64 {
	c := pairs.CompareAt(pairs.Usual, make([]float64, len(ns)), ns, pairs.Absolute)
	return max(c.High-mean(ns), mean(ns)-c.Low)
}

const about = "CPU time of a call in µs: the mean of the rounds, so that parts add up to the whole of their side, ± the farther end of its 95 % interval (of the median of pairwise means), and the share of the side."

// note says how to read the table.
func note(list []*side) string {
	text := about
	for _, s := range list {
		if math.IsInf(halfOf(s.whole()), 0) {
			text += " ?: it takes 6 rounds for an interval."
			break
		}
	}
	return text + fmt.Sprintf(" What rests on fewer than %d samples in all rounds is uncertain: grey in a page, and in brackets in text. Parts without a sample are left out.", anatomy.FewSamples)
}
