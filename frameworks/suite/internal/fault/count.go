package fault

import (
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// seenFlips is the share of flipped bits that must be counted as errors.
const seenFlips = .999

// CountFlips adds the number of flipped bits to what was measured, and a warning if
// the comparison found fewer wrong replies. Calls that failed otherwise do not count,
// because a lost connection fails all calls on it, flipped or not.
func CountFlips(fault string, flips int64, m *load.Measured) {
	if m.Result == nil || fault != Flip && fault != Noise {
		return
	}
	m.More = append(m.More, loadbench.Metric{Value: float64(flips), Unit: "flips"})
	if fault == Flip && flips == 0 {
		m.Doubts = append(m.Doubts, "no payload was found in the answers, so that no bit was flipped, as where TLS hides them: -fault=noise flips bits of anything")
	}
	if wrong := wrongReplies(m.ErrorKinds); fault == Flip && float64(wrong) < seenFlips*float64(flips) {
		m.Doubts = append(m.Doubts, fmt.Sprintf("a bit was flipped in %d payloads, and %d of %d failed calls had a wrong reply", flips, wrong, m.Failed))
	}
}
