package capacity

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
	"github.com/rpcbench/rpcbench/loadgen/internal/warning"
)

// Result is what a search has found. fmt.Println of it prints the sentence of String.
type Result struct {
	// Objective is what was searched for in words, as in "p99 ≤ 5ms".
	Objective string
	// Rate is the highest offered rate, in calls per second, that meets the
	// objective; 0 if no probe did before MaxProbes.
	Rate float64
	// Low and High, in calls per second, are on either side of the capacity in 95
	// of 100 searches. They come from the fitted line, and enclose the last two
	// rates of the bisection unless the search went on after it. Without a line
	// they are the highest rate that certainly held, or 0, and the lowest that
	// certainly failed, or +Inf. Rate is not outside of them. With the warning ErrNotTheRate they are 0 and +Inf.
	Low, High float64
	// Idle is the run of a single caller before the search.
	Idle *loadgen.Result
	// Probes are all probes in the order in which they were made.
	Probes []Probe
	// Warnings say why the callee may hold more than Rate, or another rate at
	// another time.
	Warnings []error
}

// Kinds of warnings. The warnings that loadgen.ErrGenerator and loadgen.ErrHost name are
// those of the probe that failed.
var (
	// ErrSpread: probes differ by more than their rates and the variation within each
	// explain.
	ErrSpread = warning.ErrSpread
	// ErrNotTheRate: late calls did not become more with the rate.
	ErrNotTheRate = warning.ErrNotTheRate
	// ErrShort: at the rates that hold, a probe of ProbeTime has too few calls to be certain.
	ErrShort = warning.ErrShort
)

// String says in one sentence what was found, with a line for each warning beneath it.
func (r Result) String() string {
	s := new(strings.Builder)
	objective := cmp.Or(r.Objective, "the objective")
	switch {
	case r.Rate == 0:
		fmt.Fprintf(s, "no rate that meets %s was found", objective)
	case math.IsInf(r.High, 1) && r.Low == 0:
		fmt.Fprintf(s, "%s was met at %.0f calls/s, and at which other rates is not known", objective, r.Rate)
	case math.IsInf(r.High, 1):
		fmt.Fprintf(s, "%s is met up to %.0f calls/s or more", objective, r.Rate)
	default:
		fmt.Fprintf(s, "%s is met up to %.0f calls/s, from %.0f to %.0f in 95 of 100 searches", objective, r.Rate, r.Low, r.High)
	}
	plural := "s"
	if len(r.Probes) == 1 {
		plural = ""
	}
	fmt.Fprintf(s, " (%d probe%s)", len(r.Probes), plural)
	for _, w := range r.Warnings {
		fmt.Fprintf(s, "\nwarning: %s", foreign.Line(w.Error()))
	}
	return s.String()
}
