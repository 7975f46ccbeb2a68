package verdict

import (
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	turn := func(figure float64) float64 { return 1e6 * figure * math.Exp(s.noise*r.NormFloat64()) }
	return judgedRow(Rule{Lines: 100, Dedicated: true}, turn, base, again, head)
}

// judgedRow is what is said of three programs with figures, whose turns are made of these.
func judgedRow(rule Rule, turn func(figure float64) float64, figures ...float64) Row {
	var files [3]*Results
	for i, figure := range figures {
		list := make([]lines.Line, rule.Lines)
		for i := range list {
			list[i].Values = map[string]float64{"ns/op": turn(figure)}
		}
		files[i] = &Results{of: map[string][]lines.Line{"A": list}}
	}
	return judge{rule, files[0], files[1], files[2]}.unitRows("A", unit{name: "ns/op"})[0]
}

// count is how many rows, of the first seeds, are said to be each.
func (s simulation) count(rows int) map[Status]int {
	n := map[Status]int{}
	for i := range rows {
		n[s.row(uint64(i)).Status]++
	}
	return n
}

// The seeds are fixed, so these are the numbers of rows: one more or less is a
// processor's rounding.
func TestWhichChangeIsFound(t *testing.T) {
	const rows = 100
	for _, c := range []struct {
		about               string
		s                   simulation
		slower, fails, fast int
	}{
		{"5 % on a quiet machine", simulation{noise: .1, change: .05}, 4, 49, 0},
		{"5 % on a shared one", simulation{noise: .14, change: .05}, 0, 15, 0},
		{"5 % on a very noisy one", simulation{noise: .26, change: .05}, 0, 7, 0},
		{"10 % on a quiet machine", simulation{noise: .1, change: .1}, 0, 100, 0},
		{"10 % on a shared one", simulation{noise: .14, change: .1}, 0, 93, 0},
		{"10 % on a very noisy one", simulation{noise: .26, change: .1}, 0, 20, 0},
		{"nothing", simulation{noise: .1}, 0, 0, 0},
		{"nothing where code lies 3 % apart, and base again is the same file", simulation{noise: .02, layout: .03, same: true}, 31, 8, 43},
		{"nothing where base again has another layout", simulation{noise: .02, layout: .03}, 3, 4, 13},
	} {
		n := c.s.count(rows)
		assert.InDelta(t, c.slower, n[Slower], 1, "%s: slower", c.about)
		assert.InDelta(t, c.fails, n[Fail], 1, "%s: fails", c.about)
		assert.InDelta(t, c.fast, n[Faster], 1, "%s: faster", c.about)
	}
}

var tables = flag.Bool("tables", false, "simulate all cells of the tables in frameworks/COMPARE.md, 2 minutes")

// TestTablesOfPower finds the tables, and with -tables holds each cell to a simulation
// with fixed seeds, as make thorough/seeds does.
func TestTablesOfPower(t *testing.T) {
	text, err := os.ReadFile("../../../frameworks/COMPARE.md")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^\| (\d+) % \| (?:dedicated|quiet|shared|very noisy) \| (\d+) % \| (\d+) % \| (\d+) % \| (\d+) % \|$`).FindAllStringSubmatch(string(text), -1)
	wrong := regexp.MustCompile(`(?m)^\| ([\d.]+) % \| (the same file|another layout) \| (\d+) % \| ([\d.]+) % \| (\d+) % \| (\d+) % \|$`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, found, 4)
	require.Len(t, wrong, 4)
	if !*tables {
		return
	}
	for _, row := range found {
		for i, change := range []float64{.03, .05, .1, .2} {
			n := simulation{noise: percent(t, row[1]), change: change}.count(1000)
			assertCell(t, row[2+i], float64(n[Slower]+n[Fail])/1000, "%s, %v", row[0], change)
		}
	}
	for _, row := range wrong {
		s := simulation{noise: .02, layout: percent(t, row[1]), same: row[2] == "the same file"}
		n := s.count(2000)
		fails := float64(n[Fail]) / 2000
		assertCell(t, row[3], fails+float64(n[Slower]+n[Faster])/2000, "%s: changed", row[0])
		assertCell(t, row[4], fails, "%s: fails", row[0])
		assertCell(t, row[5], 1-math.Pow(1-fails, 50), "%s: any of 50", row[0])
		s.change = .1
		n = s.count(2000)
		assertCell(t, row[6], float64(n[Slower]+n[Fail])/2000, "%s: slower by 10 %%", row[0])
	}
}

// percent reads a cell, such as the 1.5 of 1.5 %.
func percent(t *testing.T, cell string) float64 {
	value, err := strconv.ParseFloat(cell, 64)
	require.NoError(t, err)
	return value / 100
}

// assertCell wants a cell to be a share, rounded.
func assertCell(t *testing.T, cell string, share float64, about string, args ...any) {
	unit := .01
	if _, decimals, _ := strings.Cut(cell, "."); decimals != "" {
		unit = .001
	}
	assert.InDelta(t, percent(t, cell), share, .52*unit, append([]any{about}, args...)...)
}
