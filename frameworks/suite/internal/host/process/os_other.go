//go:build !unix

package process

import (
	"errors"
	"os"
	"syscall"
	"time"
)

func childAttributes() *syscall.SysProcAttr { return nil }

// Pause returns an error: processes are not paused on this system.
func Pause(*os.Process) error { return errors.ErrUnsupported }

// Resume returns an error, as Pause does.
func Resume(*os.Process) error { return errors.ErrUnsupported }

// Paused returns true: no process is paused.
func Paused(int) bool { return true }

// OwnCPU returns 0: it is not known on this system.
func OwnCPU() time.Duration { return 0 }

// CPU returns an error: only Linux tells the CPU time of another process.
func CPU(int) (time.Duration, error) { return 0, errors.ErrUnsupported }
