package host

import (
	"os"
	"runtime/debug"
)

// resetPeak gives back what the heap does not need, so that garbage of before
// does not count, and clears the kernel's high-water mark.
func resetPeak() error {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}
