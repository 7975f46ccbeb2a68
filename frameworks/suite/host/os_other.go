//go:build !unix

package host

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// On these systems no files can be passed to a child, so Start returns an error; the
// package only has to compile.

func inheritedPipes() (lifeline, ready *os.File, err error) {
	return nil, nil, errors.ErrUnsupported
}

func childAttr() *syscall.SysProcAttr { return nil }

func pauseProcess(*os.Process) error  { return errors.ErrUnsupported }
func resumeProcess(*os.Process) error { return errors.ErrUnsupported }

func isPaused(int) bool { return true }

func ownCPU() time.Duration                 { return 0 }
func processCPU(int) (time.Duration, error) { return 0, errors.ErrUnsupported }

// RaiseFileLimit returns 0: the limit is not known on this system.
func RaiseFileLimit(int) int { return 0 }

// FileLimit returns 0: the limit is not known on this system.
func FileLimit() int { return 0 }
