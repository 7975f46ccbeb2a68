package workloads

import (
	"fmt"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/suite/spread"
)

// turns hands out the values of a distribution, to each call the next one. The servers of
// all frameworks hand out the same.
type turns struct {
	spread.Spread
	calls atomic.Uint64
}

// readTurns reads the value of a flag. One that has nothing to do for any call is an error.
func readTurns(flag, text string, unit spread.Unit) (*turns, error) {
	s, err := spread.Read(text, unit)
	if err != nil {
		return nil, fmt.Errorf("-%s=%w", flag, err)
	}
	if s.Largest() == 0 {
		return nil, fmt.Errorf("-%s=%s: must be more than 0", flag, text)
	}
	return &turns{Spread: s}, nil
}

func (t *turns) next() int64 { return t.At(t.calls.Add(1) - 1) }
