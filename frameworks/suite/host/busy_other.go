//go:build !linux

package host

import (
	"errors"
	"time"
)

// Busy returns an error: it is known on Linux only.
func Busy(CPUSet) (time.Duration, error) { return 0, errors.ErrUnsupported }

// ReadSoftTimes returns an error: they are known on Linux only.
func ReadSoftTimes(CPUSet) (SoftTimes, error) { return SoftTimes{}, errors.ErrUnsupported }
