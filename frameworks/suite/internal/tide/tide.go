// Package tide is rates that move: steps, ramps, bursts and traces. It reads them, says when
// calls are due, which phase of the run each call belongs to, and how long calls take to
// settle after a step.
package tide

import (
	"fmt"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Tide is a rate that moves. Its phases have lines of their own.
type Tide struct {
	Name   string  // the value of rate= in the names of its lines
	Phases []Phase // in the order of their first calls
	pieces []piece // of the run, one after the other
	times  []time.Duration
	steps  bool // its rate jumps from phase to phase
}

// Phase is a part of a run, or several of the same kind.
type Phase struct {
	Name   string        // the value of phase=
	Length time.Duration // of all its pieces together
}

// piece is a time in which the rate is constant, or changes linearly. Those of a trace have no
// rates.
type piece struct {
	loadgen.Slope
	begin time.Duration
	phase int
}

// end is when the next piece begins.
func (p piece) end() time.Duration { return p.begin + p.For }

// parts is how many phases of equal lengths a ramp and a trace have.
const parts = 5

// of makes a tide of pieces, whose begins it fills in.
func of(name string, steps bool, phases []string, pieces ...piece) *Tide {
	t := &Tide{Name: name, pieces: pieces, steps: steps}
	for _, phase := range phases {
		t.Phases = append(t.Phases, Phase{Name: phase})
	}
	at := time.Duration(0)
	for i := range pieces {
		p := &pieces[i]
		p.begin = at
		at = p.end()
		t.Phases[p.phase].Length += p.For
	}
	return t
}

// numbered are the names of n phases.
func numbered(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("%dof%d", i+1, n))
	}
	return names
}

// Length is how long calls are due.
func (t *Tide) Length() time.Duration { return t.pieces[len(t.pieces)-1].end() }

// Schedule is when calls are due: at random times, or as evenly as the rate allows. Those of a
// trace are due when it says.
func (t *Tide) Schedule(random bool) loadgen.Schedule {
	first, last := t.pieces[0], t.pieces[len(t.pieces)-1]
	switch {
	case t.times != nil:
		return loadgen.Trace(t.times)
	case random:
		var list []loadgen.Slope
		for _, p := range t.pieces {
			list = append(list, p.Slope)
		}
		return loadgen.PoissonSlopes(1, list...)
	case first.From != first.To:
		return loadgen.Ramp(first.From, last.To, t.Length())
	}
	var list []loadgen.Step
	for _, p := range t.pieces {
		list = append(list, loadgen.Step{Rate: p.From, For: p.For})
	}
	return loadgen.Steps(list...)
}

// Mean is the mean rate in calls per second, at least 1.
func (t *Tide) Mean() int {
	calls := float64(len(t.times))
	for _, p := range t.pieces {
		calls += (p.From + p.To) / 2 * p.For.Seconds()
	}
	return max(int(calls/t.Length().Seconds()), 1)
}

// Numbers says which calls are those of each phase, by their numbers in the run.
type Numbers struct {
	upTo  []int64 // for each piece of the run, the calls up to its end
	phase []int   // of the piece
	Due   []int64 // calls of each phase
}

// Count draws all arrivals of a schedule of the tide.
func (t *Tide) Count(s loadgen.Schedule) *Numbers {
	n := &Numbers{Due: make([]int64, len(t.Phases))}
	arrivals := s.Start()
	due, ok := arrivals.Next()
	calls := int64(0)
	for i, p := range t.pieces {
		for before := calls; ; calls++ {
			if !ok || due >= p.end() && i < len(t.pieces)-1 {
				n.Due[p.phase] += calls - before
				break
			}
			due, ok = arrivals.Next()
		}
		n.upTo, n.phase = append(n.upTo, calls), append(n.phase, p.phase)
	}
	return n
}

// All is the number of calls of the run.
func (n *Numbers) All() int64 { return n.upTo[len(n.upTo)-1] }

// Phase is the phase of the call with a number. Calls of a warm-up may have numbers beyond
// those of the run.
func (n *Numbers) Phase(number int64) int {
	i, _ := slices.BinarySearch(n.upTo, number+1)
	return n.phase[min(i, len(n.phase)-1)]
}
