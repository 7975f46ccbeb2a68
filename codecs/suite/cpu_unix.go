//go:build unix

package suite

import (
	"syscall"
	"time"
)

// ownCPU is the user and system time of this process; 0 if it is not known.
func ownCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
