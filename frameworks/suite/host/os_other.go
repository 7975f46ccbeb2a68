//go:build !unix

package host

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// These systems pass no files to a child, so Start fails there; the package
// only has to build.

func inheritedPipes() (lifeline, ready *os.File, err error) {
	return nil, nil, errors.ErrUnsupported
}

func childAttr() *syscall.SysProcAttr { return nil }

func pauseProcess(*os.Process) error  { return errors.ErrUnsupported }
func resumeProcess(*os.Process) error { return errors.ErrUnsupported }

func isPaused(int) bool { return true }

func ownCPU() time.Duration                 { return 0 }
func processCPU(int) (time.Duration, error) { return 0, errors.ErrUnsupported }
func residentSet() (now, peak int64)        { return 0, 0 }

// FileLimit is not known here.
func FileLimit() int { return 0 }
