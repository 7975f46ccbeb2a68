package host

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"
)

// resetPeak returns unused memory of the heap to the system, so that earlier garbage
// does not count, and clears the kernel's high-water mark.
func resetPeak() error {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// watching is how often a process is asked for its peak.
const watching = 10 * time.Millisecond

// watchPeak notes the peak of a process until stop, which returns it. The usage that the
// kernel reports at the end would not do: it begins with the peak of the parent, with
// which the child shares its memory until it executes the binary.
func watchPeak(pid int) (stop func() int64) {
	ended, peak := make(chan struct{}), make(chan int64)
	go func() {
		var most int64
		for open := true; open; {
			most = max(most, peakOf(pid))
			select {
			case <-ended:
				open = false
			case <-time.After(watching):
			}
		}
		peak <- most
	}()
	return func() int64 { close(ended); return <-peak }
}

// peakOf returns the peak of a process that runs; 0 after its end.
func peakOf(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	return statusBytes(status, "VmHWM:")
}
