package host

import (
	"os"
	"runtime/debug"
	"syscall"
)

// resetPeak returns unused memory of the heap to the system, so that earlier garbage
// does not count, and clears the kernel's high-water mark.
func resetPeak() error {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// peakOf returns Ended.Peak.
func peakOf(s *os.ProcessState) int64 {
	if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}
