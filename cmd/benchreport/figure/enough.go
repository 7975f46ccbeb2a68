package figure

import (
	"math"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// fewest is how many calls of all rounds together must be slower than a percentile
// that is shown.
const fewest = 100

// slower is about how many calls of a line were slower than a percentile. It is
// infinite for other units, and where the line itself was right to have the
// percentile: in a closed loop the median may be of a few large transfers, and the
// calls of a search, of Stall's closed loop, of new clients, and beside silent connections,
// are not those that the line counts.
func slower(l lines.Line, unit string) float64 {
	calls := float64(l.Calls)
	switch {
	case l.Get("slo") != "", l.Get("idle") != "", l.Get("down") != "", l.Get("loop") == "closed":
	case unit == "p50-ns" && offeredBy(l) > 0:
		return .5 * calls
	case unit == "p99-ns":
		return .01 * calls
	case unit == "p99.9-ns":
		return .001 * calls
	}
	return math.Inf(1)
}

// enough reports whether the lines of a figure, which is shown for all rounds
// together, rest on enough calls.
func (r *repeats) enough() bool { return r.slower >= fewest-1e-6 }
