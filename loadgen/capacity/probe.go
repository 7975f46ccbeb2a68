package capacity

import (
	"fmt"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/batch"
)

// Probe is a run at one rate.
type Probe struct {
	Rate float64 // offered calls per second
	// Holds is whether the objective was met, and Certain whether the batches
	// decided that before ProbeTime was over.
	Holds, Certain bool
	// Why is the figures that decided, in one line, all of the calls that were judged: by
	// the percentile, and only then, more calls are over the latency than may be.
	Why string
	// Result is of all calls of the run, with those that ended after the last that was judged.
	Result *loadgen.Result

	batches *batch.Shares // late calls and all, at most joinedBatches
	share   float64       // of late calls: calls over the latency
	odds    float64       // logarithm of the odds of a late call, less that of the objective's
	oddsErr float64       // its standard error, from batches
	late    bool          // latency decided, not failed calls
}

// String is one line of a search's progress.
func (p Probe) String() string {
	verdict := "fails"
	if p.Holds {
		verdict = "holds"
	}
	if !p.Certain {
		verdict += ", not certain"
	}
	return fmt.Sprintf("%.0f calls/s: %s: %s", p.Rate, verdict, p.Why)
}
