//go:build !linux && !darwin && !freebsd

package memory

import "errors"

// CanLimit reports whether this system has Limit.
const CanLimit = false

// Limit returns errors.ErrUnsupported.
func Limit() error { return errors.ErrUnsupported }
