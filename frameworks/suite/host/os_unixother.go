//go:build unix && !linux

package host

import (
	"errors"
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
