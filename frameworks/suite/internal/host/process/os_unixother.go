//go:build unix && !linux

package process

import (
	"errors"
	"syscall"
	"time"
)

// childAttributes puts the child in a process group of its own, out of reach of a
// terminal's Ctrl-C.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// CPU returns an error: only Linux tells the CPU time of another process.
func CPU(int) (time.Duration, error) { return 0, errors.ErrUnsupported }

// Paused returns true: the system does not tell whether the signal has reached all
// threads.
func Paused(int) bool { return true }
