//go:build !race

// Nothing here runs beside anything else: the race detector could find nothing.

package loadgen

import (
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen/internal/exact"
)

func TestSchedules(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	for _, c := range []struct {
		name     string
		schedule Schedule
		want     []time.Duration
	}{
		{"a constant rate starts at once", Constant(10), []time.Duration{0, 100 * ms, 200 * ms, 300 * ms}},
		{"a rate below one is fine", Constant(.5), []time.Duration{0, 2 * s, 4 * s, 6 * s}},
		{"a rate too low to come again is never due", Constant(1e-300), []time.Duration{0, never, never, never}},
		{"a ramp that does not change is constant", Ramp(10, 10, 350*ms), []time.Duration{0, 100 * ms, 200 * ms, 300 * ms}},
		{"a ramp up solves i = t²/2", Ramp(0, 1, s*1), []time.Duration{0}},
		{"a ramp up solves i = 2t²/2", Ramp(0, 20, 10*s), []time.Duration{0, 1 * s, 1414213562, 1732050807}},
		{"a ramp down ends with its rate", Ramp(2, 0, 2*s), []time.Duration{0, 585786437}},
		{"steps follow each other", Steps(Step{10, 200 * ms}, Step{0, s}, Step{1, 2 * s}), []time.Duration{0, 100 * ms, 1200 * ms, 2200 * ms}},
		{"a trace is what it is", Trace([]time.Duration{1, 1, 5}), []time.Duration{1, 1, 5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, take(c.schedule, 4))
			assert.Equal(t, c.want, take(c.schedule, 4), "a schedule can be started again")
		})
	}
}

// TestConstantDoesNotDrift compares call 10⁹, and others, with exact rational
// arithmetic.
func TestConstantDoesNotDrift(t *testing.T) {
	for _, rate := range []float64{1, 3, 333.3, 1e4, 99_999.9, 1e6, 12_345_678} {
		for _, i := range []int64{1, 1e6, 999_999_937, 1e9} {
			a := constantArrivals{next: exact.SpanOf(new(big.Rat).Mul(exact.GapOf(rate), big.NewRat(i, 1)))}
			due, _ := a.Next()
			exact := new(big.Rat).SetFrac64(i*1e9, 1)
			exact.Quo(exact, new(big.Rat).SetFloat64(rate))
			want, _ := exact.Float64()
			assert.InDelta(t, want, float64(due), 1+want*1e-15, "rate %v, call %d", rate, i)
		}
	}
}

// TestPoissonDoesNotDrift adds the same gaps in exact arithmetic: nothing may
// be lost between them.
func TestPoissonDoesNotDrift(t *testing.T) {
	t.Parallel()
	const n, rate = 1_000_000, 3e8
	a, b := Poisson(rate, 7).Start(), Poisson(rate, 7).Start().(*poissonArrivals)
	exact := new(big.Float).SetPrec(200)
	var due time.Duration
	for range n {
		due, _ = a.Next()
		exact.Add(exact, big.NewFloat(b.random.ExpFloat64()*1e9/rate))
	}
	want, _ := exact.Float64()
	assert.InDelta(t, want, float64(due), 1)
}

func TestPoissonIsSeeded(t *testing.T) {
	assert.Equal(t, take(Poisson(100, 1), 1000), take(Poisson(100, 1), 1000))
	assert.NotEqual(t, take(Poisson(100, 1), 1000), take(Poisson(100, 2), 1000))
}

// TestPoissonGapsAreExponential is a Kolmogorov-Smirnov test. Its p-value is
// above 0.01 when √n·D is below 1.63 (the limit of the KS distribution).
func TestPoissonGapsAreExponential(t *testing.T) {
	const n, rate = 100_000, 1e4
	for seed := range uint64(5) {
		times := take(Poisson(rate, seed), n)
		gaps := make([]float64, n)
		previous := time.Duration(0)
		for i, due := range times {
			gaps[i], previous = (due - previous).Seconds(), due
		}
		assert.Less(t, math.Sqrt(n)*ksExponential(gaps, rate), 1.63, "seed %d", seed)
	}
	times := take(Constant(rate), n) // shows that the test can fail
	gaps := make([]float64, n-1)
	for i := range gaps {
		gaps[i] = (times[i+1] - times[i]).Seconds()
	}
	assert.Greater(t, math.Sqrt(n)*ksExponential(gaps, rate), 1.63)
}

// ksExponential returns the largest distance between the distribution of the
// gaps and the exponential one of the rate.
func ksExponential(gaps []float64, rate float64) (d float64) {
	slices.Sort(gaps)
	n := float64(len(gaps))
	for i, g := range gaps {
		f := 1 - math.Exp(-rate*g)
		d = max(d, f-float64(i)/n, float64(i+1)/n-f)
	}
	return d
}

// TestSlopesAreRandom: the calls up to a time are Poisson's with the integral of the rate as
// their mean, which for a standard deviation of √n is within 4·√n of it. Taken by the calls
// that the rate makes, all gaps are exponential with a mean of 1.
func TestSlopesAreRandom(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		about  string
		slopes []Slope
		until  time.Duration
		calls  float64
	}{
		{"one rate", []Slope{{1e4, 1e4, 10 * s}}, 5 * s, 5e4},
		{"a ramp up, in its first half", []Slope{{0, 2e4, 10 * s}}, 5 * s, 2.5e4},
		{"and in all", []Slope{{0, 2e4, 10 * s}}, 10 * s, 1e5},
		{"a ramp down, in its first half", []Slope{{2e4, 0, 10 * s}}, 5 * s, 7.5e4},
		{"and in all", []Slope{{2e4, 0, 10 * s}}, 10 * s, 1e5},
		{"steps, up to the middle of the second", []Slope{{1e3, 1e3, 10 * s}, {5e3, 5e3, 10 * s}, {1e3, 1e3, 10 * s}}, 15 * s, 3.5e4},
		{"nothing is due in a pause", []Slope{{1e4, 1e4, s}, {0, 0, s}, {1e4, 1e4, s}}, 2 * s, 1e4},
	} {
		schedule := PoissonSlopes(5, c.slopes...)
		require.NoError(t, schedule.(validator).Validate(), c.about)
		times := take(schedule, 1e6)
		assert.Equal(t, times, take(schedule, 1e6), "the same seed, the same times: %s", c.about)
		n, _ := slices.BinarySearch(times, c.until)
		assert.InDelta(t, c.calls, float64(n), 4*math.Sqrt(c.calls), c.about)
		assert.Less(t, times[len(times)-1], c.until*10, c.about)
	}
	times := take(PoissonSlopes(9, Slope{0, 2e4, 10 * s}), 1e6)
	gaps, last := make([]float64, len(times)), 0.0
	for i, due := range times {
		calls := 1e3 * due.Seconds() * due.Seconds() // half of the slope, 2,000 calls/s², by the time squared
		gaps[i], last = calls-last, calls
	}
	assert.Less(t, math.Sqrt(float64(len(gaps)))*ksExponential(gaps, 1), 1.63)
}

func TestWrongSlopes(t *testing.T) {
	for want, list := range map[string][]Slope{
		"loadgen: PoissonSlopes needs at least one slope":                                                             nil,
		"loadgen: slope 1, from 1 to -1 calls/s in 1s: the rates must be finite and at least 0, the time more than 0": {{1, 1, time.Second}, {1, -1, time.Second}},
		"loadgen: slope 0, from 1 to 2 calls/s in 0s: the rates must be finite and at least 0, the time more than 0":  {{1, 2, 0}},
	} {
		assert.EqualError(t, PoissonSlopes(1, list...).(validator).Validate(), want)
	}
}

// FuzzSchedules: no valid schedule goes backwards or panics, whatever its
// numbers.
func FuzzSchedules(f *testing.F) {
	f.Add(1.0, 2.0, int64(1e9), uint64(1))
	f.Add(1e-300, 1e300, int64(1), uint64(0))
	f.Add(0.0, 5e-324, int64(math.MaxInt64), uint64(9))
	f.Fuzz(func(t *testing.T, a, b float64, ns int64, seed uint64) {
		d := time.Duration(ns)
		for _, s := range []Schedule{Constant(a), Poisson(a, seed), Ramp(a, b, d), Steps(Step{a, d}, Step{b, d}), PoissonSlopes(seed, Slope{a, b, d}, Slope{b, a, d})} {
			if s.(validator).Validate() != nil {
				continue
			}
			times := take(s, 100)
			require.True(t, slices.IsSorted(times), "%#v: %v", s, times[:min(len(times), 5)])
			require.False(t, len(times) > 0 && times[0] < 0, "%#v: %v", s, times[:min(len(times), 5)])
		}
	})
}

func BenchmarkNext(b *testing.B) {
	for name, s := range map[string]Schedule{
		"constant": Constant(1e6), "poisson": Poisson(1e6, 1), "ramp": Ramp(1, 1e9, time.Hour),
		"steps": Steps(Step{1e6, 1e6 * time.Hour}), "slopes": PoissonSlopes(1, Slope{1e6, 2e6, 1e5 * time.Hour}),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			a := s.Start()
			for b.Loop() {
				a.Next()
			}
		})
	}
}
