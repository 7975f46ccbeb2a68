package host

import (
	"os"
	"runtime/debug"
)

// resetPeak returns unused memory of the heap to the system, so that earlier garbage
// does not count, and clears the kernel's high-water mark.
func resetPeak() error {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}
