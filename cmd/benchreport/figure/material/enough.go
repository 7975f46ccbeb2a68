package material

import (
	"math"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// fewest is how many calls of all rounds together must be slower than a percentile that is
// shown.
const fewest = 100

// Slower is about how many calls of a line were slower than a percentile. It is infinite for
// other units, for the median of a closed loop, which may be of a few large transfers, and
// where the percentiles are of other calls than those that the line counts: then the line
// itself was right to have them.
func (ks *Kinds) Slower(l lines.Line, unit string) float64 {
	share := map[string]float64{"p50-ns": .5, "p99-ns": .01, "p99.9-ns": .001}[unit]
	switch {
	case share == 0, unit == "p50-ns" && OfferedRate(l) == 0, ks.uncounted(l):
		return math.Inf(1)
	}
	return share * float64(l.Calls)
}

func (ks *Kinds) uncounted(l lines.Line) bool {
	k := ks.Of(l)
	return k != nil && k.Uncounted != nil && k.Uncounted(l)
}

// Enough reports whether a percentile that is shown for all rounds together rests on enough
// slower calls.
func Enough(slower float64) bool { return slower >= fewest-1e-6 }
