package estimate

import (
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// What the parts of a case take, as measured on two cores of 2.5 GHz. They need
// not be exact: progress goes by what a run measures.
const (
	serverStart = 400 * time.Millisecond // a server process, until it answers
	loadStart   = 250 * time.Millisecond // clients, their connections and the warm-up
	callTime    = 30 * time.Microsecond  // a call of a saturated closed loop
	callerTime  = 100 * time.Microsecond // a call, there and back, of a single caller
	byteTime    = 4 * time.Nanosecond    // a byte of the payload, there and back
	drain       = 20 * time.Second       // with the default of -watchdog, the longest wait for calls that were due
	probes      = 10                     // of a search
	forever     = 365 * 24 * time.Hour   // what would never end
)

// Package testing approaches -benchtime=1s by rounds of more and more calls, which
// together take half as long again.
const (
	roundsNumerator   = 3
	roundsDenominator = 2
)

// measures returns how long one measurement of a case takes beyond its server and its
// search.
func measures(c plan.Case, p Pace) time.Duration {
	begins := loadStart + c.Alone() + 2*fill(c) // the warm-up is two calls of each worker, and the first round one call
	if p.Calls > 0 {
		return begins + calls(c, p.Calls)
	}
	return begins + max(p.Each*roundsNumerator/roundsDenominator, call(c))
}

// call returns the time from one call of a case to the next.
func call(c plan.Case) time.Duration {
	workers := time.Duration(max(c.Workers, 1))
	network := max(c.Alone()/(workers*time.Duration(max(c.Batch, 1))), c.Carry())
	if c.Cost.Rate > 0 {
		return max(due(c), network)
	}
	return max(max(callTime, callerTime/workers)+time.Duration(c.Size)*byteTime, network)
}

// due returns the time from one due call of an open loop to the next.
func due(c plan.Case) time.Duration { return time.Second / time.Duration(c.Cost.Rate) }

// calls returns the time of n calls. Those of an open loop that the network cannot carry
// in time are waited for up to a limit when the last one was due.
func calls(c plan.Case, n int) time.Duration {
	all := time.Duration(min(float64(n)*float64(call(c)), float64(forever)))
	if c.Cost.Rate == 0 {
		return all
	}
	return min(all, time.Duration(n)*due(c)+drain+c.Patience())
}

// searches returns how long a search takes. Most of its probes are of more than the
// network carries.
func searches(c plan.Case) time.Duration { return c.Search + probes*fill(c) }

// fill returns how long the calls of all workers take that are made at the same time.
func fill(c plan.Case) time.Duration {
	if !c.Waits() {
		return 0
	}
	return c.Alone() + time.Duration(c.Workers)*c.Carry()
}
