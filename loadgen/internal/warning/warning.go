// Package warning has the kinds of warnings of package capacity. Package loadgen, which
// does not import that, must know them too: it reads warnings from files by their kind.
package warning

import "errors"

// The kinds are those of package capacity, whose names begin with Err.
var (
	Spread     = errors.New("latency changes by itself")
	NotTheRate = errors.New("the rate is not what decides")
	FewBatches = errors.New("too few batches in a probe")
)
