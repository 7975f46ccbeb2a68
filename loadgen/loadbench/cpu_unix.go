//go:build unix

package loadbench

import (
	"syscall"
	"time"
)

// processCPU is the user and system time that this process has used; 0 if that is
// not known.
func processCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
