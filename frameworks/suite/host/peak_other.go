//go:build !linux

package host

import "errors"

// ResetPeak cannot be done here: Figures.PeakRSS is that of the whole life.
func (h *Host) ResetPeak() error { return errors.ErrUnsupported }

// ResetOwnPeak cannot be done here.
func ResetOwnPeak() error { return errors.ErrUnsupported }
