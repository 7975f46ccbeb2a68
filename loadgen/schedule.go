package loadgen

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/exact"
)

// Schedule says when calls are due. It is an immutable description, so that a
// Config can be run again: each run, and each agent of a larger one, calls
// Start for arrivals of its own.
//
// The functions that return one check nothing. What is wrong with their arguments, such as a
// rate of 0, is the error of the run.
//
// A Schedule of one's own may have two methods more, as those of this package have:
//
//	Validate() error // what is wrong with it, such as a negative rate
//	Finite() bool    // whether its arrivals end
//
// Run calls Validate before Start, and returns its error; nothing is sent then. If Finite
// returns true, a Config needs neither Calls nor Duration.
type Schedule interface {
	// Start returns the arrivals of a run from its beginning. Run calls it up to three
	// times, since it also looks ahead of what is due.
	Start() Arrivals
}

// validator is a Schedule that can be wrong.
type validator interface{ Validate() error }

// bounded is a Schedule that can say that its arrivals end.
type bounded interface{ Finite() bool }

var (
	_ validator = constant{}
	_ validator = poisson{}
	_ validator = ramp{}
	_ validator = steps{}
	_ validator = slopes{}
	_ validator = trace{}
	_ bounded   = ramp{}
	_ bounded   = steps{}
	_ bounded   = slopes{}
	_ bounded   = trace{}
)

// Arrivals is the sequence of due times of one run, as offsets from its start.
// Only one goroutine uses it at a time. It reads no clock.
type Arrivals interface {
	// Next returns when the next call is due: never before the previous one.
	// It returns false after the last one.
	Next() (due time.Duration, ok bool)
}

// ClosedLoop is the schedule of a closed loop: there are no due times, and every
// worker calls again as soon as its last call has returned. A stall of the
// callee then delays the very calls that would have seen it, so a closed loop
// measures throughput and says little about waiting.
const ClosedLoop = closedLoop(0)

type closedLoop int

// isClosed reports whether a schedule is the closed loop.
func isClosed(s Schedule) bool {
	_, ok := s.(closedLoop)
	return ok
}

// Start returns nil: a closed loop has no arrivals, and Run does not call Start.
func (closedLoop) Start() Arrivals { return nil }

// Constant makes calls due at a constant rate per second, more than 0: the first at once,
// call i after i/rate, cut to whole nanoseconds. So exactly the calls that rate × time
// says, rounded up, are due before any time. A rate is taken for the simple fraction that
// a user means by its float64, so that .1 is a tenth and 5./3 is five thirds.
func Constant(rate float64) Schedule { return constant{rate} }

type constant struct{ rate float64 }

func (c constant) Validate() error { return validRate("Constant", c.rate) }

func (c constant) Start() Arrivals { return &constantArrivals{gap: exact.SpanOf(exact.GapOf(c.rate))} }

type constantArrivals struct{ next, gap exact.Span }

// Next adds the gap to the last due time. The digits of the sum are enough for any run.
func (a *constantArrivals) Next() (time.Duration, bool) {
	due := a.next.Duration()
	a.next.Add(&a.gap)
	return due, true
}

// Poisson makes calls due with exponentially distributed gaps, at a mean rate
// per second, more than 0: the arrivals of many independent users. The same seed gives
// the same due times. Any seed is as good as another.
func Poisson(rate float64, seed uint64) Schedule { return poisson{rate, seed} }

type poisson struct {
	rate float64
	seed uint64
}

func (p poisson) Validate() error { return validRate("Poisson", p.rate) }

func (p poisson) Start() Arrivals {
	mean := min(1e9/p.rate, float64(never))
	_, exponent := math.Frexp(mean)
	bits := min(max(poissonRoom-exponent, 0), poissonRoom)
	return &poissonArrivals{mean: math.Ldexp(mean, bits), bits: bits, random: rand.New(rand.NewPCG(p.seed, 0))}
}

// poissonRoom is the number of bits for a mean gap with its fraction. A gap has to
// fit in 62 bits, and is never longer than 2^6 mean gaps.
const poissonRoom = 56

type poissonArrivals struct {
	mean     float64 // between arrivals, in units of 2^-bits ns
	bits     int
	random   *rand.Rand
	due      time.Duration
	fraction int64 // of a ns beyond due, in units of 2^-bits ns
}

// Next carries the fraction of a nanosecond from gap to gap. Cut off each time, the
// fractions would add up to half a second in 1e9 calls, and a float64 sum would
// lose digits as it grows. The sum is of integers: their addition is so short that
// the CPU computes the next gap meanwhile.
func (a *poissonArrivals) Next() (time.Duration, bool) {
	sum := a.fraction + int64(nanos(a.random.ExpFloat64()*a.mean+.5))
	whole := sum >> (a.bits & 63)
	a.fraction = sum - whole<<(a.bits&63)
	a.due = min(a.due+time.Duration(whole), never)
	return a.due, true
}

// Ramp makes calls due at a rate per second that changes linearly between two
// values over the given time, more than 0, after which it ends. One of the rates may be 0. Exactly
// the calls that mean rate × time says, rounded up, are due before the end, and before any
// time of a ramp of up to three days. In a longer one a call may be due some nanoseconds off.
func Ramp(from, to float64, over time.Duration) Schedule { return ramp{from, to, over} }

type ramp struct {
	from, to float64
	over     time.Duration
}

func (r ramp) Finite() bool { return true }

func (r ramp) Validate() error {
	if !nonNegative(r.from) || !nonNegative(r.to) || r.from+r.to == 0 {
		return fmt.Errorf("loadgen: Ramp from %v to %v calls/s: the rates must be finite, at least 0 and not both 0", r.from, r.to)
	}
	if r.over <= 0 {
		return fmt.Errorf("loadgen: Ramp over %v: the time must be more than 0", r.over)
	}
	return nil
}

func (r ramp) Start() Arrivals {
	from, to := min(r.from, exact.MostRate), min(r.to, exact.MostRate)
	area := exact.AreaOf(exact.Rational(from), exact.Rational(to), r.over)
	calls := area.UpTo(r.over)
	whole, part := exact.Split(calls)
	return &rampArrivals{
		from: from, to: to, slope: (to - from) / r.over.Seconds(), over: r.over, area: area,
		whole: whole, part: part,
	}
}

type rampArrivals struct {
	from, to, slope float64 // calls/s, calls/s, calls/s²
	over            time.Duration
	area            exact.Area
	whole           int64   // calls of the ramp
	part            float64 // of a call beyond them, below 1
	i               int64
}

// Next ends by an exact count, since the solution for the last calls of all is not exact.
func (a *rampArrivals) Next() (time.Duration, bool) {
	if a.i > a.whole || a.i == a.whole && a.part == 0 {
		return 0, false
	}
	guess := a.guess(float64(a.i))
	due := nanos(guess)
	const doubt = 1 << 49 // a guess is better than its 2^49th part
	if err := max(guess, float64(a.over)*a.down()) / doubt; err < .5 {
		if part := guess - float64(due); part < err || part > 1-err {
			due = a.area.Reach(a.i, due)
		}
	}
	a.i++
	return min(due, a.over-1), true
}

// down is 1 if the rate goes down, and else 0.
func (a *rampArrivals) down() float64 {
	if a.slope < 0 {
		return 1
	}
	return 0
}

// guess solves i = from·t + slope·t²/2 for t, in ns. The usual form of the solution divides
// by slope, which may be 0; this one does not: t = 2i / (from + √(from² + 2·slope·i)).
// Where the rate goes down the root would lose its digits towards the end, so there the
// calls that are left are solved for the time that is left.
func (a *rampArrivals) guess(i float64) float64 {
	if a.slope >= 0 {
		return solve(i, a.from, a.slope)
	}
	left := float64(a.whole-a.i) + a.part
	return max(float64(a.over)-solve(left, a.to, -a.slope), 0)
}

func solve(calls, rate, slope float64) (ns float64) {
	if calls == 0 {
		return 0
	}
	return 2 * calls / (rate + math.Sqrt(rate*rate+2*slope*calls)) * 1e9
}

// Step is a constant rate in calls per second, held for a time. In a step with a
// rate of 0 no call is due.
type Step struct {
	Rate float64       // at least 0
	For  time.Duration // more than 0
}

// Steps makes calls due at one constant rate after the other, and ends after the
// last. It needs one step at least. A part of a call that is left at the end of a step counts in the next, so that
// exactly the calls that rate × time says, summed over the steps and rounded up, are due
// before any time.
func Steps(list ...Step) Schedule { return steps(append([]Step(nil), list...)) }

type steps []Step

func (s steps) Finite() bool { return true }

func (s steps) Validate() error {
	if len(s) == 0 {
		return errors.New("loadgen: Steps needs at least one step")
	}
	for i, step := range s {
		if !nonNegative(step.Rate) || step.For <= 0 {
			return fmt.Errorf("loadgen: step %d, %v calls/s for %v: the rate must be finite and at least 0, the time more than 0", i, step.Rate, step.For)
		}
	}
	return nil
}

func (s steps) Start() Arrivals {
	a := &stepsArrivals{rest: s, wait: new(big.Rat)}
	a.enter()
	return a
}

type stepsArrivals struct {
	rest      []Step
	begin     time.Duration // of rest[0]
	next, gap exact.Span    // in rest[0]; never if its rate is 0
	wait      *big.Rat      // from its begin to its first call, in calls, below 1
}

func (a *stepsArrivals) Next() (time.Duration, bool) {
	for len(a.rest) > 0 {
		if in := a.next.Duration(); in < min(a.rest[0].For, never) {
			a.next.Add(&a.gap)
			return a.begin + in, true
		}
		a.leave()
		a.enter()
	}
	return 0, false
}

// enter finds the first call of rest[0].
func (a *stepsArrivals) enter() {
	a.next, a.gap = exact.NeverSpan(), exact.Span{}
	if len(a.rest) > 0 && a.rest[0].Rate > 0 {
		gap := exact.GapOf(a.rest[0].Rate)
		a.gap = exact.SpanOf(gap)
		a.next = exact.SpanOf(gap.Mul(gap, a.wait))
	}
}

// leave carries the part of a call that is left from rest[0] to the next step.
func (a *stepsArrivals) leave() {
	step := a.rest[0]
	if step.Rate > 0 {
		calls := new(big.Rat).SetInt64(int64(step.For))
		calls.Quo(calls, exact.GapOf(step.Rate))
		a.wait.Sub(a.wait, calls)
		a.wait.Sub(a.wait, new(big.Rat).SetInt(exact.Floor(a.wait))) // of less than 0 too
		a.wait = exact.Shortened(a.wait)
	}
	a.rest, a.begin = a.rest[1:], min(a.begin+min(step.For, never), never)
}

// Slope is a rate in calls per second that changes linearly over a time. While both rates are 0
// no call is due.
type Slope struct {
	From, To float64       // at least 0
	For      time.Duration // more than 0
}

// PoissonSlopes makes calls due at random times, as Poisson does, while the mean rate follows
// one slope after the other, of which there is one at least, and ends after the last. The number of calls is random as well:
// where n are expected, it is within 3·√n of n in 997 of 1000 runs. The same seed gives the
// same due times. Steps and Ramp have exact numbers of calls.
func PoissonSlopes(seed uint64, list ...Slope) Schedule {
	return slopes{append([]Slope(nil), list...), seed}
}

type slopes struct {
	list []Slope
	seed uint64
}

func (s slopes) Finite() bool { return true }

func (s slopes) Validate() error {
	if len(s.list) == 0 {
		return errors.New("loadgen: PoissonSlopes needs at least one slope")
	}
	for i, one := range s.list {
		if !nonNegative(one.From) || !nonNegative(one.To) || one.For <= 0 {
			return fmt.Errorf("loadgen: slope %d, from %v to %v calls/s in %v: the rates must be finite and at least 0, the time more than 0", i, one.From, one.To, one.For)
		}
	}
	return nil
}

func (s slopes) Start() Arrivals {
	return &slopesArrivals{rest: s.list, random: rand.New(rand.NewPCG(s.seed, 0))}
}

type slopesArrivals struct {
	rest   []Slope
	begin  time.Duration // of rest[0]
	calls  float64       // that the rate of rest[0] makes up to the last due time
	due    time.Duration
	random *rand.Rand
}

// Next draws how many calls the rate makes until the next one, and finds when it has made them.
// What is left of it at the end of a slope is not carried: exponential gaps have no memory.
func (a *slopesArrivals) Next() (time.Duration, bool) {
	for len(a.rest) > 0 {
		a.calls += a.random.ExpFloat64()
		if in, ok := a.rest[0].reach(a.calls); ok {
			a.due = max(min(a.begin+in, never), a.due)
			return a.due, true
		}
		a.begin, a.calls = min(a.begin+min(a.rest[0].For, never), never), 0
		a.rest = a.rest[1:]
	}
	return 0, false
}

// reach returns when the rate has made a number of calls; false if it never does. See
// rampArrivals.guess for why a rate that goes down is solved from its end.
func (s Slope) reach(calls float64) (time.Duration, bool) {
	seconds := s.For.Seconds()
	all, change := (s.From/2+s.To/2)*seconds, (s.To-s.From)/seconds
	switch {
	case calls >= all:
		return 0, false
	case change >= 0:
		return min(nanos(solve(calls, s.From, change)), s.For-1), true
	}
	return max(s.For-1-nanos(solve(all-calls, s.To, -change)), 0), true
}

// Trace makes calls due at the given times after the start, where the warm-up
// begins if there is one. There must be one at least, and they must not be negative nor
// decrease. The schedule ends after the last.
func Trace(times []time.Duration) Schedule { return trace(append([]time.Duration(nil), times...)) }

type trace []time.Duration

func (t trace) Finite() bool { return true }

func (t trace) Validate() error {
	if len(t) == 0 {
		return errors.New("loadgen: Trace needs at least one time")
	}
	for i, due := range t {
		if due < 0 || i > 0 && due < t[i-1] {
			return fmt.Errorf("loadgen: Trace goes backwards: time %d is %v", i, due)
		}
	}
	return nil
}

func (t trace) Start() Arrivals { return &traceArrivals{t} }

type traceArrivals struct{ rest []time.Duration }

func (a *traceArrivals) Next() (time.Duration, bool) {
	if len(a.rest) == 0 {
		return 0, false
	}
	due := a.rest[0]
	a.rest = a.rest[1:]
	return due, true
}

const never = exact.Never

// nanos is ns as a duration, and never if ns is longer than that.
func nanos(ns float64) time.Duration {
	if ns < float64(never) { // the builtin min costs as much as all the rest
		return time.Duration(ns)
	}
	return never
}

func validRate(name string, rate float64) error {
	if !nonNegative(rate) || rate == 0 {
		return fmt.Errorf("loadgen: %s rate is %v calls/s: it must be more than 0 and finite", name, rate)
	}
	return nil
}

func nonNegative(rate float64) bool {
	return rate >= 0 && !math.IsInf(rate, 0) // NaN fails the first
}
