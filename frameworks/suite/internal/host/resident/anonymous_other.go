//go:build !linux

package resident

import "errors"

// Anonymous returns 0: it is not known on this system.
func Anonymous() int64 { return 0 }

// Machine returns 0: it is not known on this system.
func Machine() (total, available int64) { return 0, 0 }

// ResetPeak returns an error: the peak is not measured anew on this system.
func ResetPeak() error { return errors.ErrUnsupported }
