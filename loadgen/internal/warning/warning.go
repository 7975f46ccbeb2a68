// Package warning has the kinds of warnings of package capacity. Package loadgen, which
// does not import that, must know them too: it reads warnings from files by their kind.
package warning

import "errors"

// The kinds have the names that they have in package capacity.
var (
	ErrSpread     = errors.New("latency changes by itself")
	ErrNotTheRate = errors.New("the rate is not what decides")
	ErrFewBatches = errors.New("too few batches in a probe") // of earlier versions
	ErrShort      = errors.New("probes are too short to be certain")
)
