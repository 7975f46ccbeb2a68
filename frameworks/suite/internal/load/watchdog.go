package load

import (
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// ErrStuck is the error of the watchdog.
var ErrStuck = errors.New("no call ended")

// Watchdog returns a function for OnProgress. It returns an error when no call has
// ended for the time patience.
func Watchdog(patience time.Duration) func(loadgen.Progress) error {
	ended, since := int64(-1), time.Duration(0)
	return func(p loadgen.Progress) error {
		if p.Ended != ended {
			ended, since = p.Ended, p.Elapsed
		}
		if p.Elapsed-since < patience {
			return nil
		}
		return fmt.Errorf("%w for %v", ErrStuck, patience)
	}
}

// CloseSoon closes a client to end its calls, after a second in which the run stops:
// a worker whose call ends before would make another, for which some clients open a
// connection anew.
func CloseSoon(l Load) { time.AfterFunc(time.Second, func() { _ = l.Close() }) }

// DrainAfter returns the Drain of a run with a watchdog. It is longer than patience,
// so that the watchdog ends the run: its error is clearer, and users can set it by a
// flag.
func DrainAfter(patience time.Duration) time.Duration { return patience + 10*time.Second }
