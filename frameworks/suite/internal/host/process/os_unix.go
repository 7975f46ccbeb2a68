//go:build unix

package process

import (
	"os"
	"syscall"
	"time"
)

// Pause has a process stop (SIGSTOP) until Resume. Its threads stop one after the other,
// perhaps after Pause has returned, see Paused.
func Pause(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }

// Resume has a paused process go on (SIGCONT).
func Resume(p *os.Process) error { return p.Signal(syscall.SIGCONT) }

// OwnCPU returns the user and system time of this process; 0 if the system does not tell.
func OwnCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
