//go:build unix

// Package cpu reads the CPU time of this process.
package cpu

import (
	"syscall"
	"time"
)

// Time returns the user and system time of this process; 0 if it is not known.
func Time() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
