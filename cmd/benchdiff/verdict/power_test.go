package verdict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// simulation is of comparisons of 100 turns on a machine.
type simulation struct {
	noise  float64 // by what a figure differs from turn to turn, as a standard deviation
	layout float64 // the same from build to build: by where code is
	change float64 // of head
	same   bool    // base again is the same file as base, as it was once
}

// row is one that has been judged, with a seed of its own.
func (s simulation) row(seed uint64) Row {
	r := rand.New(rand.NewPCG(seed, 5))
	build := func() float64 { return math.Exp(s.layout * r.NormFloat64()) }
	base, again, head := build(), build(), build()*(1+s.change)
	if s.same {
		again = base
	}
	const turns = 100
	results := func(figure float64) *Results {
		list := make([]lines.Line, turns)
		for i := range list {
			list[i].Values = map[string]float64{"ns/op": 1e6 * figure * math.Exp(s.noise*r.NormFloat64())}
		}
		return &Results{of: map[string][]lines.Line{"A": list}}
	}
	j := judge{Rule{Lines: turns, Dedicated: true}, results(base), results(again), results(head)}
	return j.unitRows("A", unit{name: "ns/op"})[0]
}

// share is the part of rows, in percent, of which this is said.
func (s simulation) share(rows int, list ...Status) float64 {
	n := 0
	for i := range rows {
		b := Benchmark{Rows: []Row{s.row(uint64(i))}}
		n += (&Report{Benchmarks: []Benchmark{b}}).Count(list...)
	}
	return 100 * float64(n) / float64(rows)
}

// These are cells of the tables in frameworks/MEASURE.md, from fewer rows.
func TestWhichChangeIsFound(t *testing.T) {
	const rows = 100
	for _, c := range []struct {
		about       string
		s           simulation
		found, fail float64 // rows that are slower, and those of them that fail, in percent
	}{
		{"5 % on a quiet machine", simulation{noise: .1, change: .05}, 47, 44},
		{"5 % on a shared one", simulation{noise: .14, change: .05}, 17, 17},
		{"5 % on a very noisy one", simulation{noise: .26, change: .05}, 2, 2},
		{"10 % on a quiet machine", simulation{noise: .1, change: .1}, 100, 100},
		{"10 % on a shared one", simulation{noise: .14, change: .1}, 90, 90},
		{"10 % on a very noisy one", simulation{noise: .26, change: .1}, 19, 19},
		{"nothing where code lies 3 % apart, and base again is the same file", simulation{noise: .02, layout: .03, same: true}, 40, 12},
		{"nothing where base again has another layout", simulation{noise: .02, layout: .03}, 12, 6},
	} {
		// Four standard errors of the share, and at least four rows of a hundred.
		margin := func(p float64) float64 { return max(4, 4*math.Sqrt(p*(100-p)/rows)) }
		assert.InDelta(t, c.found, c.s.share(rows, Slower, Fail), margin(c.found), "%s: slower", c.about)
		assert.InDelta(t, c.fail, c.s.share(rows, Fail), margin(c.fail), "%s: fails", c.about)
	}
}
