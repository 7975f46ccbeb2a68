package capacity

import (
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/warning"
)

// Result is what a search has found.
type Result struct {
	// Rate is the highest offered rate, in calls per second, that meets the
	// objective; 0 if no probe did before MaxProbes.
	Rate float64
	// Low and High, in calls per second, are on either side of the capacity in 95
	// of 100 searches. They come from the fitted line, and enclose the last two
	// rates of the bisection unless the search went on after it. Without a line
	// they are the highest rate that certainly held, or 0, and the lowest that
	// certainly failed, or +Inf. With the warning ErrNotTheRate they are 0 and +Inf.
	Low, High float64
	// Idle is the run of a single caller before the search.
	Idle *loadgen.Result
	// Probes are all probes in the order in which they were made.
	Probes []Probe
	// Warnings say why the callee may hold more than Rate, or another rate at
	// another time.
	Warnings loadgen.Warnings
}

// Kinds of warnings. The warnings that loadgen.ErrGenerator and loadgen.ErrHost name are
// those of the probe that failed.
var (
	// ErrSpread: probes differ by more than their rates and the variation within each
	// explain.
	ErrSpread = warning.ErrSpread
	// ErrNotTheRate: late calls did not become more with the rate.
	ErrNotTheRate = warning.ErrNotTheRate
	// ErrFewBatches: Batch and ProbeTime leave too few batches for the outcome of a probe
	// to be certain.
	ErrFewBatches = warning.ErrFewBatches
)
