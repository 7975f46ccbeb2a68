//go:build !race

// Nothing here runs beside anything else: the race detector could find nothing.

package loadgen

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen/internal/exact"
)

// meant is the rate of a text as in "29", "33.3" or "1/3", exactly and as a user gives it.
func meant(t *testing.T, text string) (*big.Rat, float64) {
	t.Helper()
	exact, ok := new(big.Rat).SetString(text)
	require.True(t, ok, text)
	rate, _ := exact.Float64()
	return exact, rate
}

// ceil is the number of calls that are due before a number of calls is reached.
func ceil(calls *big.Rat) int64 {
	n := exact.Floor(calls)
	if !calls.IsInt() {
		n.Add(n, big.NewInt(1))
	}
	return n.Int64()
}

// over is rate × time.
func over(rate *big.Rat, d time.Duration) *big.Rat {
	return new(big.Rat).Mul(rate, big.NewRat(int64(d), int64(time.Second)))
}

// before counts the calls that are due before a time.
func before(a Arrivals, end time.Duration) (n int64) {
	for due, ok := a.Next(); ok && due < end; due, ok = a.Next() {
		n++
	}
	return n
}

// constantFrom is a constant rate from its call i on.
func constantFrom(rate float64, i int64) *constantArrivals {
	a := Constant(rate).Start().(*constantArrivals)
	for gap := a.gap; i > 0; i >>= 1 { // adds i gaps
		if i&1 != 0 {
			a.next.Add(&gap)
		}
		once := gap
		gap.Add(&once)
	}
	return a
}

// TestConstantMakesRateTimesTime for 80,000 pairs of rate and time: the last of the calls
// is due before the time, and the next is not.
func TestConstantMakesRateTimesTime(t *testing.T) {
	t.Parallel()
	check := func(text string, d time.Duration) {
		exact, rate := meant(t, text)
		n := ceil(over(exact, d))
		a := constantFrom(rate, n-1)
		last, _ := a.Next()
		next, _ := a.Next()
		if last >= d || next < d {
			t.Errorf("%s calls/s for %v are %d calls, but call %d is due at %v and the next at %v", text, d, n, n-1, last, next)
		}
	}
	for rate := 1; rate <= 2000; rate += fewer(1, 7) {
		for seconds := 1; seconds <= 38; seconds++ {
			check(strconv.Itoa(rate), time.Duration(seconds)*time.Second)
		}
	}
	for _, text := range []string{"0.1", "0.3", "33.3", "1/3", "5/3", "2/7", "0.07", "99999.9", "1e6", "12345678", "1e9", "7e9", "1e15", "1/86400"} {
		for _, d := range []time.Duration{1, 3, 999_999_999, time.Second, 3 * time.Second, 10 * time.Second, 21 * time.Second, 1000 * time.Second, 86_400 * time.Second, 1e6 * time.Second} {
			if exact, _ := meant(t, text); over(exact, d).Cmp(big.NewRat(1<<60, 1)) < 0 {
				check(text, d)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 4000 {
		check(strconv.FormatFloat(float64(1+r.IntN(1e7))/100, 'f', -1, 64), time.Duration(1+r.Int64N(1e13)))
	}
}

func TestConstantCounts(t *testing.T) {
	for _, c := range []struct {
		about string
		rate  float64
		over  time.Duration
		want  int64
	}{
		{"a prime", 29, time.Second, 29},
		{"a tenth, whose float64 is more", .1, 10 * time.Second, 1},
		{"seven hundredths, of which float64 makes 7.000000000000001 calls", .07, 100 * time.Second, 7},
		{"a third", 1. / 3, 3 * time.Second, 1},
		{"five thirds, whose float64 is more", 5. / 3, 3 * time.Second, 5},
		{"a part of a call at the end is due before it", 33.3, time.Second, 34},
		{"several calls a nanosecond", 3e9, 1000, 3000},
	} {
		t.Run(c.about, func(t *testing.T) {
			assert.Equal(t, c.want, before(Constant(c.rate).Start(), c.over))
			assert.Equal(t, c.want, before(Steps(Step{c.rate, c.over}).Start(), never))
			assert.Equal(t, c.want, before(Ramp(c.rate, c.rate, c.over).Start(), never))
		})
	}
}

// TestStepsLoseAndDoubleNothing: what is left of a call at the end of a step is part of the
// next, over thousands of steps.
func TestStepsLoseAndDoubleNothing(t *testing.T) {
	t.Parallel()
	texts := []string{"0.1", "33.3", "1/3", "29", "0", "5/3", "1000.7", "0.007", "2/7", "61"}
	for seed := range uint64(fewer(4, 1)) {
		r := rand.New(rand.NewPCG(seed, 2))
		var list []Step
		var ends []time.Duration
		var sums []int64
		sum, end := new(big.Rat), time.Duration(0)
		for range 3000 {
			exact, rate := meant(t, texts[r.IntN(len(texts))])
			d := time.Duration(1+r.IntN(1000)) * time.Millisecond
			if r.IntN(4) == 0 {
				d = time.Duration(1 + r.IntN(1e6))
			}
			list = append(list, Step{rate, d})
			sum.Add(sum, over(exact, d))
			end += d
			ends, sums = append(ends, end), append(sums, ceil(sum))
		}
		a, made, last := Steps(list...).Start(), int64(0), time.Duration(0)
		due, ok := a.Next()
		for i, end := range ends {
			for ; ok && due < end; due, ok = a.Next() {
				require.LessOrEqual(t, last, due)
				last = due
				made++
			}
			require.Equal(t, sums[i], made, "seed %d, step %d of %v", seed, i, list[i])
		}
		require.False(t, ok)
	}
}

// TestRampMakesMeanRateTimesTime at many times of each ramp, up and down.
func TestRampMakesMeanRateTimesTime(t *testing.T) {
	t.Parallel()
	texts := []string{"0", "0.1", "1/3", "2", "29", "33.3", "100", "250.7", "1000", "1999"}
	overs := []time.Duration{7 * time.Millisecond, 100 * time.Millisecond, 737 * time.Millisecond, time.Second, 2 * time.Second, 9_999_999_999}
	for _, from := range texts {
		for _, to := range texts {
			for _, over := range overs {
				if from != "0" || to != "0" {
					checkRamp(t, from, to, over)
				}
			}
		}
	}
}

func checkRamp(t *testing.T, fromText, toText string, over time.Duration) {
	from, f := meant(t, fromText)
	to, g := meant(t, toText)
	a, made := Ramp(f, g, over).Start(), int64(0)
	due, ok := a.Next()
	for k := int64(1); k <= 97; k++ {
		end := over / 97 * time.Duration(k)
		if k == 97 {
			end = over
		}
		for ; ok && due < end; due, ok = a.Next() {
			made++
		}
		part := big.NewRat(int64(end), 2*int64(over)) // of the slope at half that time
		mean := new(big.Rat).Sub(to, from)
		mean.Add(mean.Mul(mean, part), from)
		want := ceil(mean.Mul(mean, big.NewRat(int64(end), int64(time.Second))))
		require.Equal(t, want, made, "from %s to %s over %v: calls before %v", fromText, toText, over, end)
	}
	require.False(t, ok, "from %s to %s over %v ends", fromText, toText, over)
}

// TestLongRampsAreCountedExactly: a guess is too bad for the last calls, the count is not.
func TestLongRampsAreCountedExactly(t *testing.T) {
	for _, c := range []struct {
		about    string
		from, to string
		over     time.Duration
	}{
		{"down to nothing", "2000", "0", 1000 * time.Second},
		{"up from nothing", "0", "2000", 1000 * time.Second},
		{"nearly level", "333.3", "333.4", 3000 * time.Second},
		{"slow for a month", "0.1", "0", 30 * 24 * time.Hour},
	} {
		t.Run(c.about, func(t *testing.T) { checkRamp(t, c.from, c.to, c.over) })
	}
}
