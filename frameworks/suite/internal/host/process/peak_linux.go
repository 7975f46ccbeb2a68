package process

import (
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/resident"
)

// watching is how often a process is asked for its peak.
const watching = 10 * time.Millisecond

// watchPeak notes the peak of a process until stop, which returns it. The usage that the
// kernel reports at the end would not do: it begins with the peak of the parent, with
// which the child shares its memory until it executes the binary.
func watchPeak(pid int) (stop func() int64) {
	ended, found := make(chan struct{}), make(chan int64)
	go func() {
		var most int64
		for open := true; open; {
			_, peak := resident.Of(pid)
			most = max(most, peak)
			select {
			case <-ended:
				open = false
			case <-time.After(watching):
			}
		}
		found <- most
	}()
	return func() int64 { close(ended); return <-found }
}
