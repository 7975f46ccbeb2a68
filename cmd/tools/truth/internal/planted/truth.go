package planted

import (
	"math"
	"slices"
	"time"
)

// Window is a span of time in which a process stood still, as offsets from the first call.
type Window struct{ From, To time.Duration }

// Responses returns what the users wait whose calls are due at these offsets, in the same
// order: from due to the answer. Stood is when the process really stood still; the zero
// Window says never.
func (p Plan) Responses(due []time.Duration, stood Window) []time.Duration {
	all, calls := make([]time.Duration, len(due)), p.Start()
	for i, d := range due {
		all[i] = stood.Leave(calls.Next(stood.Leave(d)).At) - d
	}
	return all
}

// Leave returns the end of the window if t is in it, and else t.
func (w Window) Leave(t time.Duration) time.Duration {
	if t >= w.From && t < w.To {
		return w.To
	}
	return t
}

// Constant returns the due times of n calls at a constant rate a second.
func Constant(rate float64, n int) []time.Duration {
	due := make([]time.Duration, n)
	for i := range due {
		due[i] = time.Duration(float64(i) / rate * 1e9)
	}
	return due
}

// Quantile returns the smallest value that a share q of all values, from 0 to 1, does not
// exceed (the nearest rank). It returns 0 without values. Sorted must be in ascending order.
func Quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(q*float64(len(sorted)) - 1e-9)) // 1e-9: .95 × 100 is 95
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// Percentiles are the times of a distribution that are compared.
type Percentiles struct {
	P50, P95, P99, Max time.Duration
}

// Summary returns the percentiles of values, each of them later by floor.
func Summary(values []time.Duration, floor time.Duration) Percentiles {
	sorted := slices.Sorted(slices.Values(values))
	at := func(q float64) time.Duration { return Quantile(sorted, q) + floor }
	return Percentiles{at(.5), at(.95), at(.99), at(1)}
}

// Lateness returns how much later than it was due each call arrived: arrival k against due
// time k. Both must be in ascending order, and arrivals without a due time are left out. The
// server does not know when the generator began, so the earliest call counts as punctual, with a
// lateness of 0. Calls that were due in the window, or for as long after it as it lasted,
// are left out.
func Lateness(arrivals, due []time.Duration, stood Window) (late []time.Duration) {
	until := stood.To + (stood.To - stood.From)
	for i, a := range arrivals[:min(len(arrivals), len(due))] {
		if due[i] < stood.From || due[i] >= until {
			late = append(late, a-due[i])
		}
	}
	if len(late) == 0 {
		return nil
	}
	earliest := slices.Min(late)
	for i := range late {
		late[i] -= earliest
	}
	return late
}
