package history

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// simulation is of records of four cases, with the CPU times of both sides and a latency.
type simulation struct {
	versions, rounds int
	noise            float64 // of a process, as a standard deviation of logarithms
	unrest           float64 // of the noise, from round to round
	layout           float64 // of a version
	step             float64 // of the CPU times of one case
	at               int     // from which version on
	until            int     // 0 for all
}

const simulatedCases = 4

// record is one of a seed.
func (s simulation) record(seed uint64) *Record {
	r := rand.New(rand.NewPCG(seed, 7))
	rec := &Record{Rounds: s.rounds, Done: s.rounds}
	for v := range s.versions {
		rec.Versions = append(rec.Versions, "v"+strconv.Itoa(v))
	}
	places := make([][]float64, simulatedCases*3)
	for i := range places {
		for range s.versions {
			places[i] = append(places[i], s.layout*r.NormFloat64())
		}
	}
	for round := range s.rounds {
		slow := make([]float64, simulatedCases)
		for i := range slow {
			slow[i] = .1 * r.NormFloat64()
		}
		s := s
		if s.unrest > 0 {
			s.noise *= math.Exp(s.unrest * r.NormFloat64())
		}
		for v, name := range rec.Versions {
			process := s.noise / 2 * r.NormFloat64() // all cases of a process
			for c := range simulatedCases {
				rec.Lines = append(rec.Lines, s.line(r, name, round+1, c, slow[c]+process, places[3*c:], v))
			}
		}
	}
	return rec
}

// line has three correlated units: each differs by noise, three quarters of whose
// variance they share.
func (s simulation) line(r *rand.Rand, name string, round, c int, shared float64, places [][]float64, v int) lines.Line {
	shared += s.noise * math.Sqrt(.5) * r.NormFloat64()
	if r.Float64() < .02 {
		shared += math.Log(1.5)
	}
	value := func(mean float64, place int) float64 {
		return mean * math.Exp(shared+s.noise/2*r.NormFloat64()+places[place][v])
	}
	more := 1.0
	if c == 1 && v >= s.at && (s.until == 0 || v < s.until) {
		more += s.step
	}
	return lines.Line{
		Name:   lines.Name{Full: fmt.Sprintf("BenchmarkEcho/case=%d", c)},
		Values: map[string]float64{"client-cpu-ns/op": more * value(1e4, 0), "server-cpu-ns/op": more * value(1e4, 1), "p50-ns": value(1e6, 2)},
		Config: map[string]string{"version": name, "round": strconv.Itoa(round)},
	}
}

// wrong is how many of records without a step have one.
func (s simulation) wrong(records int) (n int) {
	for i := range records {
		if len(s.record(uint64(i)).Steps()) > 0 {
			n++
		}
	}
	return n
}

// found is how often a step is found within one version of its place, in a record in
// which there are no others farther off; exactly how often it is at its place.
func (s simulation) found(records int) (near, exact, beside int) {
	r := rand.New(rand.NewPCG(uint64(s.rounds), 9))
	for i := range records {
		c := s
		if c.at == 0 {
			c.at = 1 + r.IntN(s.versions-1)
		}
		isNear, isExact, isBeside := false, false, false
		for _, step := range c.record(uint64(i)).Steps() {
			off := max(step.At-c.at, c.at-step.At)
			rightCase := step.Name.Full == "BenchmarkEcho/case=1" && step.Unit != "p50-ns"
			isNear = isNear || rightCase && off <= 1
			isExact = isExact || rightCase && off == 0
			isBeside = isBeside || !rightCase || off > 1
		}
		near, exact, beside = near+one(isNear), exact+one(isExact), beside+one(isBeside)
	}
	return near, exact, beside
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

var histories = flag.Int("histories", 0, "simulate this many records of each kind; 1000 take 10 minutes")

// The bounds of both tests leave room for another number of records than 1000. Seeds are
// fixed. make thorough/seeds runs them.
func TestRatesOfWrongSteps(t *testing.T) {
	needHistories(t)
	for _, c := range []struct {
		about string
		most  float64 // records with a step
		s     simulation
	}{
		{"ten rounds", .01, simulation{versions: 12, rounds: 10, noise: .06, layout: .01}},
		{"twenty rounds", .01, simulation{versions: 12, rounds: 20, noise: .06, layout: .01}},
		{"a quiet machine", .01, simulation{versions: 12, rounds: 20, noise: .03, layout: .01}},
		{"two versions in ten rounds", .01, simulation{versions: 2, rounds: 10, noise: .06, layout: .01}},
		{"four versions in twenty rounds", .01, simulation{versions: 4, rounds: 20, noise: .06, layout: .01}},
		{"the fewest rounds, and no layout", .01, simulation{versions: 12, rounds: 6, noise: .06}},
		{"twenty rounds, and no layout", .01, simulation{versions: 12, rounds: 20, noise: .06}},
		{"a machine with other work", .01, simulation{versions: 12, rounds: 20, noise: .1, unrest: .5, layout: .01}},
		{"twice the layout", .03, simulation{versions: 12, rounds: 20, noise: .06, layout: .02}},
	} {
		n := float64(c.s.wrong(*histories)) / float64(*histories)
		t.Logf("%s: %.1f %% of records without a step have one", c.about, 100*n)
		assert.LessOrEqual(t, n, c.most+3*math.Sqrt(c.most/float64(*histories)), c.about)
	}
}

func needHistories(t *testing.T) {
	if *histories == 0 {
		t.Skip("-histories=1000 simulates as many records of each kind, 10 minutes")
	}
}

func TestRatesOfFoundSteps(t *testing.T) {
	needHistories(t)
	for _, c := range []struct {
		rounds             int
		step, near, newest float64
	}{
		{10, .05, 0, 0}, {10, .1, .65, .15}, {10, .2, .97, .9}, {20, .05, .2, 0}, {20, .1, .9, .65}, {20, .2, .98, .97},
	} {
		s := simulation{versions: 12, rounds: c.rounds, noise: .06, layout: .01, step: c.step}
		near, exact, beside := s.found(*histories)
		s.at = s.versions - 1
		newest, _, _ := s.found(*histories)
		of := float64(*histories)
		t.Logf("%d rounds, a step of %v %%: %.1f %% are found, %.1f %% at their version, %.1f %% of records have another; at the newest version %.1f %%",
			c.rounds, 100*c.step, 100*float64(near)/of, 100*float64(exact)/of, 100*float64(beside)/of, 100*float64(newest)/of)
		assert.GreaterOrEqual(t, float64(near)/of, c.near)
		assert.GreaterOrEqual(t, float64(newest)/of, c.newest)
	}
}
