//go:build unix && !linux

package host

import (
	"errors"
	"runtime"
	"syscall"
	"time"
)

// childAttr puts the child in a process group of its own, out of reach of a
// terminal's Ctrl-C.
func childAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func processCPU(int) (time.Duration, error) { return 0, errors.ErrUnsupported }

// isPaused returns true: the system does not tell whether the signal has reached all
// threads.
func isPaused(int) bool { return true }

// residentSet returns only the peak: the present size is not known on these systems.
func residentSet() (now, peak int64) {
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
