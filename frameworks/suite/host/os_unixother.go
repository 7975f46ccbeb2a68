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

// isPaused takes the signal's word for it.
func isPaused(int) bool { return true }

// residentSet knows no present size, only the greatest.
func residentSet() (now, peak int64) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, 0
	}
	peak = int64(u.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak *= 1 << 10 // in KiB there
	}
	return 0, peak
}
