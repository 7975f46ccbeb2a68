package planted

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/stretchr/testify/assert"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

// atOnce is a plan without a gap between answers.
func atOnce(p Plan) Plan {
	p.Gap = 0
	return p
}

// truth is what the users of a plan wait at a constant rate for 10 s.
func truth(p Plan, rate float64, stood Window) Percentiles {
	return Summary(p.Responses(Constant(rate, int(10*rate)), stood), 0)
}

func TestFormulas(t *testing.T) {
	for _, c := range []struct {
		about string
		plan  Plan
		stood Window
		rate  float64
		want  Percentiles
	}{
		{"frozen, answers at once: F+2s−(1−q)P", atOnce(Of(Frozen, whole, 1)), Window{}, 500, Percentiles{5 * ms, 110 * ms, 190 * ms, 205 * ms}},
		{"frozen, answers one by one, for ρ of the time: F+s−((1−q)P−s)(1−ρ)", Of(Frozen, whole, 1), Window{}, 500, Percentiles{5 * ms, 114_750 * us, 190_750 * us, 205 * ms}},
		{"another seed freezes at another time, as long", Of(Frozen, whole, 2), Window{}, 500, Percentiles{5 * ms, 114_750 * us, 190_750 * us, 205 * ms}},
		{"stopped once for 1 s of 10, with P = 10 s", Of(Stopped, whole, 1), Window{4 * time.Second, 5 * time.Second}, 500, Percentiles{5 * ms, 534_750 * us, 914_750 * us, 1005 * ms}},
		{"never stopped", Of(Stopped, whole, 1), Window{}, 500, Percentiles{5 * ms, 5 * ms, 5 * ms, 5 * ms}},
		{"one of ten is slow", Of(Slow, whole, 1), Window{}, 500, Percentiles{5 * ms, 100 * ms, 100 * ms, 100 * ms}},
		{"D/D/1 never waits", Plan{Kind: Queue, Base: 4 * ms}, Window{}, 200, Percentiles{4 * ms, 4 * ms, 4 * ms, 4 * ms}},
		{"wrong answers take no longer", Of(Wrong, whole, 1), Window{}, 500, Percentiles{5 * ms, 5 * ms, 5 * ms, 5 * ms}},
		{"dropped calls take no longer", Of(Dropping, whole, 1), Window{}, 500, Percentiles{5 * ms, 5 * ms, 5 * ms, 5 * ms}},
		{"plain answers at once", Of(Plain, whole, 1), Window{}, 1000, Percentiles{}},
	} {
		got := truth(c.plan, c.rate, c.stood)
		gap := 1.1e9 / c.rate // between calls, by which a formula for a continuum is off
		assert.InDelta(t, c.want.P50, got.P50, 0, c.about)
		assert.InDelta(t, c.want.P95, got.P95, gap, c.about)
		assert.InDelta(t, c.want.P99, got.P99, gap, c.about)
		assert.InDelta(t, c.want.Max, got.Max, gap, c.about)
	}
}

// TestQueues compares Lindley's recursion with the formulas for long runs.
func TestQueues(t *testing.T) {
	const n = 2_000_000
	mean := func(all []time.Duration) (sum float64) {
		for _, r := range all {
			sum += r.Seconds() * 1e3
		}
		return sum / float64(len(all))
	}
	poisson, arrivals := make([]time.Duration, n), loadgen.Poisson(200, 3).Start()
	for i := range poisson {
		poisson[i], _ = arrivals.Next()
	}
	md1 := Plan{Kind: Queue, Base: 4 * ms}.Responses(poisson, Window{})
	assert.InDelta(t, 4+.8*4/(2*.2), mean(md1), .3, "M/D/1 waits ρs/2(1−ρ)")

	random := Of(Queue, whole, 1)
	mm1 := random.Responses(poisson, Window{})
	assert.InDelta(t, 4/.2, mean(mm1), 1, "M/M/1 responds in s/(1−ρ)")
	p99 := Summary(mm1, 0).P99.Seconds() * 1e3
	assert.InDelta(t, math.Log(100)*20, p99, 6, "M/M/1: p99 = ln(100)/(μ−λ)")

	dm1 := random.Responses(Constant(200, n), Window{})
	sigma := .5 // of D/M/1: σ = exp(−(1−σ)/ρ)
	for range 1000 {
		sigma = math.Exp(-(1 - sigma) / .8)
	}
	assert.InDelta(t, 4/(1-sigma), mean(dm1), .3, "D/M/1 responds in s/(1−σ)")
}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		about string
		kind  Kind
		block int
		want  map[Outcome]int
	}{
		{"a status and a body of each 20", Wrong, 20, map[Outcome]int{Right: 18, Failure: 1, OtherBody: 1}},
		{"one connection of each 50", Dropping, 50, map[Outcome]int{Right: 49, Drop: 1}},
		{"slow calls are right", Slow, 10, map[Outcome]int{Right: 10}},
	} {
		first, calls := []int{}, Of(c.kind, whole, 5).Start()
		for range 100 {
			counts := map[Outcome]int{}
			for i := range c.block {
				o := calls.Next(0).Outcome
				if counts[o]++; o == Failure || o == Drop {
					first = append(first, i)
				}
			}
			assert.Equal(t, c.want, counts, c.about)
		}
		if len(first) > 0 {
			assert.Greater(t, len(slices.Compact(slices.Sorted(slices.Values(first)))), c.block/2, "%s: which one is random", c.about)
		}
	}
}

// TestSeeds: the same seed is the same server, another one is another.
func TestSeeds(t *testing.T) {
	for _, kind := range []Kind{Frozen, Slow, Queue} {
		due := Constant(500, 1000)
		one := Of(kind, whole, 1).Responses(due, Window{})
		assert.Equal(t, one, Of(kind, whole, 1).Responses(due, Window{}), kind)
		assert.NotEqual(t, one, Of(kind, whole, 2).Responses(due, Window{}), kind)
	}
}

func TestFreezes(t *testing.T) {
	p := Plan{Kind: Frozen, Base: 5 * ms, Period: 2000 * ms, Phase: 500 * ms, Freeze: 200 * ms}
	for _, c := range []struct {
		about    string
		at, want time.Duration
	}{
		{"outside of the freeze", 0, 5 * ms},
		{"the answer would go out as the freeze begins", 495 * ms, 700 * ms},
		{"the last before", 494 * ms, 499 * ms},
		{"the call arrives in the freeze", 500 * ms, 705 * ms},
		{"at its end", 700 * ms, 705 * ms},
		{"in the freeze of the next period", 2600 * ms, 2705 * ms},
	} {
		assert.Equal(t, c.want, p.Start().Next(c.at).At, c.about)
	}
	for seed := range int64(100) {
		p := Of(Frozen, whole, seed-50)
		assert.Greater(t, p.Phase, p.Base, "the first call is not in a freeze")
		assert.Less(t, p.Phase+p.Freeze+p.Base, p.Period, "a freeze is over in its period")
	}
}

func TestQuantile(t *testing.T) {
	var hundred []time.Duration
	for i := range 100 {
		hundred = append(hundred, time.Duration(i+1))
	}
	for _, c := range []struct {
		about  string
		values []time.Duration
		q      float64
		want   time.Duration
	}{
		{"of nothing", nil, .5, 0},
		{"of one value", hundred[:1], .99, 1},
		{"95 of 100 do not exceed the 95th", hundred, .95, 95},
		{"the middle", hundred, .5, 50},
		{"of two, the first", hundred[:2], .5, 1},
		{"the largest", hundred, 1, 100},
		{"the smallest", hundred, 0, 1},
	} {
		assert.Equal(t, c.want, Quantile(c.values, c.q), c.about)
	}
}

func TestLateness(t *testing.T) {
	for _, c := range []struct {
		about    string
		arrivals []time.Duration
		stood    Window
		want     []time.Duration
	}{
		{"nothing arrived", nil, Window{}, nil},
		{"on time, and the generator began whenever", []time.Duration{7 * ms, 8 * ms, 9 * ms}, Window{}, []time.Duration{0, 0, 0}},
		{"the first was late", []time.Duration{1 * ms, 1 * ms, 2 * ms}, Window{}, []time.Duration{1 * ms, 0, 0}},
		{"a call lost moves all that follow", []time.Duration{0, 2 * ms, 3 * ms}, Window{}, []time.Duration{0, ms, ms}},
		{"calls that nobody asked for", []time.Duration{0, ms, 2 * ms, 3 * ms, 9 * ms}, Window{}, []time.Duration{0, 0, 0, 0}},
		{"the stop and what follows it are left out", []time.Duration{0, 2 * ms, 2 * ms, 3 * ms}, Window{1 * ms, 2 * ms}, []time.Duration{0, 0}},
	} {
		assert.Equal(t, c.want, Lateness(c.arrivals, Constant(1000, 4), c.stood), c.about)
	}
}
