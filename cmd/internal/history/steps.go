package history

import (
	"github.com/rpcbench/rpcbench/cmd/benchdiff/pairs"
)

// Step is a version from which on a unit of a case is another one.
type Step struct {
	Series
	At     int          // the first version with it, by its place in Series.Versions
	Change pairs.Change // against the versions before it, up to the step before; with its interval of 95 %
	// Chance is how often such a step is found where none is; 0 of counts, which have no
	// chance.
	Chance   float64
	From, To float64 // medians before and after, in the unit
	// Also are configuration lines that change here as well, as in "protobuf v1.35.2 →
	// v1.36.12"; the module's own version is not among them.
	Also []string
}

// Version is the name of the first version with the step.
func (s Step) Version() string { return s.Versions[s.At] }
