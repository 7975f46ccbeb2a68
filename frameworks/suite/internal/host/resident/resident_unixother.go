//go:build unix && !linux

package resident

import (
	"runtime"
	"syscall"
)

// Own returns only the peak: the present size is not known on these systems.
func Own() (now, peak int64) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, 0
	}
	peak = int64(u.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak *= 1 << 10 // getrusage counts in KiB, except on darwin
	}
	return 0, peak
}

// Of returns 0: the memory of another process is not known on these systems.
func Of(int) (now, peak int64) { return 0, 0 }
