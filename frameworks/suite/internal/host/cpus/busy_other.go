//go:build !linux

package cpus

import (
	"errors"
	"time"
)

// Busy returns an error: it is known on Linux only.
func Busy(Set) (time.Duration, error) { return 0, errors.ErrUnsupported }

// ReadTaken returns an error: they are known on Linux only.
func ReadTaken(Set) (Taken, error) { return Taken{}, errors.ErrUnsupported }
