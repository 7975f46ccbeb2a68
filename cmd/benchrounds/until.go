package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// precision is how exactly figures are to be known, and by how many rounds at most.
type precision struct {
	percent float64 // half of an interval, of the figure; 0: -n rounds are all
	most    int     // rounds
	units   []string
}

// fewest is the smallest number of rounds that has an interval: see pairs.Half.
const fewest = 6

// check returns what is wrong with -within and -most beside -n.
func (p precision) check(rounds int) error {
	switch {
	case p.percent < 0:
		return fmt.Errorf("-within=%v: must be a percentage above 0", p.percent)
	case p.percent > 0 && rounds < fewest:
		return fmt.Errorf("-within takes -n=%d or more: fewer rounds have no interval", fewest)
	case p.percent > 0 && p.most < rounds:
		return fmt.Errorf("-most=%d: must be -n=%d or more", p.most, rounds)
	}
	return nil
}

// figures are what a binary's lines say in all rounds, by benchmark and unit.
type figures map[string][]float64

// add takes the values of some units from a result.
func (f figures) add(line string, units []string) {
	fields := strings.Fields(line)
	for i := 2; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err == nil && slices.Contains(units, fields[i+1]) {
			name := fields[0] + " " + fields[i+1]
			f[name] = append(f[name], value)
		}
	}
}

// within reports whether each figure is known that exactly.
func (f figures) within(percent float64) bool {
	for _, values := range f {
		if !(100*pairs.Half(values) <= percent) {
			return false
		}
	}
	return true
}

// goesOn reports whether there is another turn. After -n rounds a turn runs only binaries whose
// figures are not known well enough.
func (r *runner) goesOn(turn int) bool {
	round := turn / r.turns
	if round < r.rounds || turn%r.turns > 0 {
		return true
	}
	return r.until.percent > 0 && round < r.until.most && r.selectWide(round)
}

// selectWide chooses the binaries of one more round, and reports whether there are any.
func (r *runner) selectWide(round int) bool {
	wide, cases := 0, 0
	for _, t := range r.parts(0) {
		if t.enough = t.enough || t.seen.within(r.until.percent); !t.enough {
			wide, cases = wide+1, cases+r.turns*t.cases
		}
	}
	if wide > 0 {
		r.p.further(cases)
		r.p.line.Say(fmt.Sprintf("%d of %d binaries have a figure wider than ±%v %%: round %d of at most %d",
			wide, len(r.parts(0)), r.until.percent, round+1, r.until.most))
	}
	return wide > 0
}

// unknown returns an error if no line has a unit whose figures were to be exact.
func (r *runner) unknown() error {
	known := func(t *part) bool { return len(t.seen) > 0 }
	if r.until.percent == 0 || slices.ContainsFunc(r.parts(0), known) {
		return nil
	}
	return errors.New("-within: no line has " + strings.Join(r.until.units, " or ") + ": choose others by -unit")
}

// defaultUnits are the CPU time of a call.
const defaultUnits = "client-cpu-ns/op,server-cpu-ns/op"
