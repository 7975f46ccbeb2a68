package main

import (
	"fmt"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/anatomy"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// costOf says what the profiler costs on each side, by the lines of the same rounds without and
// with it. All benchmarks are taken together.
func costOf(off, on string) (string, error) {
	without, err := lines.Read([]string{off})
	if err != nil {
		return "", err
	}
	with, err := lines.Read([]string{on})
	if err != nil {
		return "", err
	}
	var says []string
	for _, side := range anatomy.Sides() {
		if c := cost(without, with, side+"-cpu-ns/op"); c.Pairs > 0 {
			says = append(says, fmt.Sprintf("%s %+.1f %%%s", side, 100*c.Value, interval(c)))
		}
	}
	return strings.Join(says, ", "), nil
}

func interval(c pairs.Change) string {
	if c.Pairs < fewestUsual {
		return ""
	}
	return fmt.Sprintf(" (%+.1f to %+.1f)", 100*c.Low, 100*c.High)
}

// fewestUsual is how many pairs an interval of 95 % takes.
const fewestUsual = 6

// cost is the change of a unit, by the n-th lines of each name.
func cost(without, with *lines.Text, unit string) pairs.Change {
	before := values(without, unit)
	var base, other []float64
	for name, list := range values(with, unit) {
		n := min(len(list), len(before[name]))
		base, other = append(base, before[name][:n]...), append(other, list[:n]...)
	}
	return pairs.CompareAt(pairs.Usual, base, other, pairs.Relative)
}

// values returns the values of a unit by name, without zeros, of which there is no ratio.
func values(t *lines.Text, unit string) map[string][]float64 {
	list := map[string][]float64{}
	for _, l := range t.Lines {
		if v := l.Values[unit]; v > 0 {
			list[l.Full] = append(list[l.Full], v)
		}
	}
	return list
}
