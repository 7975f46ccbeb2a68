package rig

import (
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

var errStuck = errors.New("no call ended")

// watchdog returns an error when no call has ended for so long.
func watchdog(patience time.Duration) func(loadgen.Progress) error {
	ended, since := int64(-1), time.Duration(0)
	return func(p loadgen.Progress) error {
		if p.Ended != ended {
			ended, since = p.Ended, p.Elapsed
		}
		if p.Elapsed-since < patience {
			return nil
		}
		return fmt.Errorf("%w for %v", errStuck, patience)
	}
}

// afterWatchdog is the Drain of a run under a watchdog, which shall be the first to
// find that no call ends: it says so, and by its flag it is what users set.
func afterWatchdog(patience time.Duration) time.Duration { return patience + 10*time.Second }
