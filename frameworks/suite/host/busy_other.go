//go:build !linux

package host

import (
	"errors"
	"time"
)

// Busy is not known here.
func Busy(CPUSet) (time.Duration, error) { return 0, errors.ErrUnsupported }
