//go:build !linux

package host

import (
	"errors"
	"time"
)

// Busy returns an error: it is known on Linux only.
func Busy(CPUSet) (time.Duration, error) { return 0, errors.ErrUnsupported }
