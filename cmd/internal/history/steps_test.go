package history

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// recordOf has one case with one unit, whose value is a function of round and version.
func recordOf(unit string, rounds, versions int, value func(round, version int) float64) *Record {
	r := &Record{Done: rounds}
	for v := range versions {
		r.Versions = append(r.Versions, "v"+strconv.Itoa(v))
	}
	for round := range rounds {
		for v, name := range r.Versions {
			r.Lines = append(r.Lines, lines.Line{
				Name:   lines.Name{Full: "BenchmarkEcho"},
				Values: map[string]float64{unit: value(round, v)},
				Config: map[string]string{"version": name, "round": strconv.Itoa(round + 1)},
			})
		}
	}
	return r
}

// noisy is a value that differs by some percent, more or less at random.
func noisy(round, version int) float64 {
	return 1000 * (1 + .1*math.Sin(float64(7*round))) * (1 + .04*math.Sin(float64(29*round+13*version+round*version*version)))
}

func places(steps []Step) (list []string) {
	for _, s := range steps {
		list = append(list, fmt.Sprintf("%s %+.0f%%", s.Version(), 100*s.Change.Value))
	}
	return list
}

func TestTimedSteps(t *testing.T) {
	for _, c := range []struct {
		about            string
		rounds, versions int
		factor           func(round, version int) float64
		want             []string
	}{
		{"nothing changes", 20, 12, func(_, _ int) float64 { return 1 }, nil},
		{"it takes 20 % more from a version on", 20, 12, func(_, v int) float64 { return from(v, 5, 1.2) }, []string{"v5 +20%"}},
		{"it takes 20 % less from a version on", 20, 12, func(_, v int) float64 { return from(v, 5, .8) }, []string{"v5 -20%"}},
		{"the newest release takes more, and has none behind it", 20, 12, func(_, v int) float64 { return from(v, 11, 1.2) }, []string{"v11 +20%"}},
		{"the oldest release took more", 20, 12, func(_, v int) float64 { return from(v, 1, .8) }, []string{"v1 -20%"}},
		{"of two versions the second takes more", 20, 2, func(_, v int) float64 { return from(v, 1, 1.2) }, []string{"v1 +20%"}},
		{"one release takes more, and the next does not", 20, 12, func(_, v int) float64 { return from(v, 5, 1.2) * from(v, 6, 1/1.2) }, []string{"v5 +20%", "v6 -17%"}},
		{"it takes more, and then more again", 20, 12, func(_, v int) float64 { return from(v, 4, 1.2) * from(v, 8, 1.2) }, []string{"v4 +20%", "v8 +20%"}},
		{"4 % is less than a change", 20, 12, func(_, v int) float64 { return from(v, 6, 1.04) }, nil},
		{"in one round a version took three times as long", 20, 12, func(r, v int) float64 { return 1 + 2*float64(one(r == 3 && v == 11)) }, nil},
		{"in one round all versions from one on took three times as long", 20, 12, func(r, v int) float64 { return 1 + 2*float64(one(r == 3 && v > 5)) }, nil},
		{"layout differs by 2 % from version to version", 20, 12, func(_, v int) float64 { return 1 + .01*float64(v%2) - .01*float64(v%3) }, nil},
		{"every second version takes 10 % more: no release is a step", 20, 12, func(_, v int) float64 { return 1 + .1*float64(v%2) }, nil},
		{"in every second round the machine has other work: processes differ by half", 20, 12, func(r, v int) float64 {
			return from(v, 6, 1.15) * (1 + .5*float64(r%2)*math.Sin(float64(31*r+17*v*v)))
		}, []string{"v6 +15%"}},
		{"with five rounds nothing can be said", 5, 12, func(_, v int) float64 { return from(v, 5, 2) }, nil},
		{"with seven rounds of two versions nothing can be said", 7, 2, func(_, v int) float64 { return from(v, 1, 2) }, nil},
		{"a time of 0 has no logarithm", 20, 12, func(_, v int) float64 { return from(v, 5, 0) }, nil},
		{"one version has no steps", 20, 1, func(_, _ int) float64 { return 1 }, nil},
	} {
		r := recordOf(CPU, c.rounds, c.versions, func(round, v int) float64 { return noisy(round, v) * c.factor(round, v) })
		assert.Equal(t, c.want, places(r.Steps()), c.about)
	}
}

// from is 1 before a version, and then a factor.
func from(version, at int, factor float64) float64 {
	if version < at {
		return 1
	}
	return factor
}

func TestStepSaysHowClearItIs(t *testing.T) {
	r := recordOf(CPU, 20, 12, func(round, v int) float64 { return noisy(round, v) * from(v, 5, 1.2) })
	steps := r.Steps()
	require.Len(t, steps, 1)
	s := steps[0]
	assert.InDelta(t, 1./2000, s.Chance, 1e-9, "no draw is as clear")
	assert.Equal(t, 20, s.Change.Pairs)
	assert.Less(t, s.Change.Low, s.Change.Value)
	assert.Greater(t, s.Change.High, s.Change.Value)
	assert.Greater(t, s.Change.Low, .15)
	assert.InDelta(t, 1.2, s.To/s.From, .05, "medians of all rounds, which differ more")
	assert.Equal(t, steps, r.Steps(), "the seeds are fixed")
}

// What is clear in one of many series is less clear than in one alone.
func TestChanceIsOfTheWholeRecord(t *testing.T) {
	family := func(cases int) []timed {
		r := recordOf(CPU, 20, 12, noisy)
		series := r.Series()
		for i := range cases - 1 {
			other := recordOf(CPU, 20, 12, func(round, v int) float64 { return noisy(round+20*i+20, v) }).Series()
			series = append(series, other...)
		}
		return familyOf(series)
	}
	alone, many := null(family(1)), null(family(10))
	assert.Less(t, alone[draws/2], many[draws/2])
	assert.Less(t, chance(4, alone), chance(4, many))
	assert.InDelta(t, 1, chance(0, alone), 1e-9)
}

func TestRoundsForSteps(t *testing.T) {
	for _, c := range []struct {
		about                 string
		unit                  string
		versions, cases, want int
	}{
		{"two versions are told apart by 8 rounds of one case", CPU, 2, 1, 8},
		{"and by 10 of four", CPU, 2, 4, 10},
		{"with more versions, an interval takes more rounds", CPU, 12, 4, 6},
		{"one version cannot have steps", CPU, 1, 4, 0},
		{"counts are no matter of chance", "allocs/op", 2, 4, 0},
	} {
		r := recordOf(c.unit, 3, c.versions, noisy)
		for _, l := range r.Lines {
			for i := range c.cases - 1 {
				l.Full = "BenchmarkEcho/" + strconv.Itoa(i)
				r.Lines = append(r.Lines, l)
			}
		}
		assert.Equal(t, c.want, r.RoundsForSteps(), c.about)
	}
}

func TestCountedSteps(t *testing.T) {
	for _, c := range []struct {
		about  string
		unit   string
		values [][]float64 // by version: of its rounds
		want   []string
	}{
		{"an allocation more", "allocs/op", [][]float64{{9, 9, 9}, {9, 9, 9}, {10, 10, 10}}, []string{"v2 +11%"}},
		{"a third of an allocation more", "server-allocs/op", [][]float64{{15.04, 15.1, 15.1}, {15.4, 15.4, 15.41}}, nil},
		{"half an allocation more", "server-allocs/op", [][]float64{{15.04, 15.1, 15.1}, {15.6, 15.61, 15.6}}, []string{"v1 +3%"}},
		{"a version that has one more in most rounds, as one before had in some", "allocs/op", [][]float64{{9, 9, 10}, {10, 10, 9}}, nil},
		{"one more for one release", "allocs/op", [][]float64{{9, 9, 9}, {10, 10, 10}, {9, 9, 9}}, []string{"v1 +11%", "v2 -10%"}},
		{"from none to two", "client-spans/op", [][]float64{{0, 0, 0}, {2, 2, 2}}, []string{"v1 +200%"}},
		{"memory differs by 0.8 %", "B/op", [][]float64{{2634, 2630, 2632}, {2655, 2654, 2653}}, nil},
		{"memory differs by 3 %, in ranges apart", "B/op", [][]float64{{2634, 2630, 2640}, {2710, 2720, 2705}}, []string{"v1 +3%"}},
		{"memory differs by 3 %, in ranges that overlap", "B/op", [][]float64{{2634, 2630, 2710}, {2710, 2720, 2705}}, nil},
		{"one version has 1.2 % more memory, and later ones less than 1 %", "B/op", [][]float64{{1000, 1001, 1002}, {1012, 1012, 1012}, {1005, 1006, 1004}, {1004, 1003, 1005}}, nil},
		{"a request has one byte more for the version's name", "request-wire-B/op", [][]float64{{1109, 1109, 1109}, {1110, 1110, 1110}}, nil},
		{"a binary is built once, and is 5 % larger", "binary-B", [][]float64{{20e6}, {21e6}}, []string{"v1 +5%"}},
		{"a module more", "modules", [][]float64{{20}, {21}}, []string{"v1 +5%"}},
		{"with two rounds nothing can be said", "allocs/op", [][]float64{{9, 9}, {10, 10}}, nil},
		{"of ten rounds one had a collection", "allocs/op", [][]float64{{9, 9, 9, 9, 11, 9, 9, 9, 9, 9}, {10, 10, 10, 10, 10, 10, 10, 10, 10, 10}}, []string{"v1 +11%"}},
		{"no steps are looked for", "p99-ns", [][]float64{{9, 9, 9}, {20, 20, 20}}, nil},
	} {
		r := recordOf(c.unit, len(c.values[0]), len(c.values), func(round, v int) float64 { return c.values[v][round] })
		assert.Equal(t, c.want, places(r.Steps()), c.about)
	}
}

func TestCountedStep(t *testing.T) {
	values := [][]float64{{100, 101, 103}, {100, 100, 100}, {110, 120, 111}}
	steps := recordOf("B/op", 3, 3, func(round, v int) float64 { return values[v][round] }).Steps()
	require.Len(t, steps, 1)
	s := steps[0]
	assert.Equal(t, []float64{100, 111, 0}, []float64{s.From, s.To, s.Chance})
	assert.Equal(t, pairs.Change{Pairs: 3, Value: .11, Low: .07, High: .2}, s.Change)
	assert.Equal(t, pairs.Relative, s.Scale)
	values = [][]float64{{0, 0, 0}, {2, 2, 3}}
	s = recordOf("allocs/op", 3, 2, func(round, v int) float64 { return values[v][round] }).Steps()[0]
	assert.Equal(t, pairs.Change{Pairs: 3, Value: 2, Low: 2, High: 3}, s.Change)
	assert.Equal(t, pairs.Absolute, s.Scale)
}

func TestAlso(t *testing.T) {
	configs := []map[string]string{
		{"grpc": "v1", "protobuf": "v1.35.2", "adapter": "frameworks/grpc/frozen", "pkg": "x/frozen", "gone": "v1"},
		{"grpc": "v2", "protobuf": "v1.36.12", "adapter": "frameworks/grpc", "pkg": "x", "netpoll": "v0.1"},
	}
	for _, c := range []struct {
		about, module string
		names         []string
		load          bool // a line that differs from round to round
	}{
		{"the module's own version is no other change", "google.golang.org/grpc", []string{"v1", "v2"}, false},
		{"a record of several modules has them in the versions", "", []string{"google.golang.org/grpc@v1", "google.golang.org/grpc@v2"}, false},
		{"what differs from round to round does not differ from version to version", "google.golang.org/grpc", []string{"v1", "v2"}, true},
	} {
		r := recordOf("allocs/op", 3, 2, func(_, v int) float64 { return float64(v) })
		r.Module, r.Versions = c.module, c.names
		for i, l := range r.Lines {
			v := i % 2
			l.Config["version"] = c.names[v]
			for key, value := range configs[v] {
				l.Config[key] = value
			}
			if c.load {
				l.Config["load"] = strconv.Itoa(i)
			}
		}
		steps := r.Steps()
		require.Len(t, steps, 1, c.about)
		assert.Equal(t, []string{
			"adapter frameworks/grpc/frozen → frameworks/grpc", "gone v1 → none", "netpoll none → v0.1", "protobuf v1.35.2 → v1.36.12",
		}, steps[0].Also, c.about)
	}
}

func TestSegments(t *testing.T) {
	for _, c := range []struct {
		about   string
		effects []float64
		found   []int // by parts
		kept    []int // by themselves
	}{
		{"all alike", []float64{0, 0, 0, 0}, nil, nil},
		{"one version alone", []float64{1}, nil, nil},
		{"a step", []float64{0, 0, 1, 1}, []int{2}, []int{2}},
		{"the last one", []float64{0, 0, 0, 1}, []int{3}, []int{3}},
		{"the first one", []float64{1, 0, 0, 0}, []int{1}, []int{1}},
		{"one in the middle", []float64{0, 0, 1, 0, 0}, []int{2, 3}, []int{2, 3}},
		{"stairs", []float64{0, 0, 0, 1, 1, 1, 2, 2, 2}, []int{3, 6}, []int{3, 6}},
		{"a step, behind which the last one is a little lower", []float64{0, 0, 1.1, 1.1, 1.1, .8}, []int{2, 5}, []int{2}},
	} {
		s := segments{contrastsOf(c.effects), .5, .4}
		found := s.find(0, len(c.effects))
		if c.about[:6] != "a step" {
			assert.Equal(t, c.found, found, c.about)
		}
		assert.Equal(t, c.kept, s.keep(found), c.about)
	}
}

func TestWeightsOf(t *testing.T) {
	series := recordOf(CPU, 4, 12, func(round, v int) float64 {
		return 1000 * math.Exp(.01*float64(1+9*one(round == 3))*math.Sin(float64(29*round+v*v)))
	}).Series()
	weights, more := weightsOf([]timed{timedOf(series[0])})
	assert.InDelta(t, 4, weights[0]+weights[1]+weights[2]+weights[3], 1e-9)
	assert.InDelta(t, weights[0], weights[1], .2)
	assert.Less(t, weights[3], .8*weights[0], "a round in which processes differ more counts less")
	assert.InDelta(t, 1+4./41, more, 1e-9)
	same := recordOf(CPU, 4, 12, func(_, _ int) float64 { return 1000 }).Series()
	weights, _ = weightsOf([]timed{timedOf(same[0])})
	assert.Equal(t, []float64{1, 1, 1, 1}, weights, "none differs")
}
