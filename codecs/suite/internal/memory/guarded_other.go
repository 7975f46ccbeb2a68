//go:build !linux && !darwin && !freebsd

package memory

import "errors"

// Guarded is not supported on this system.
type Guarded struct{}

// NewGuarded returns errors.ErrUnsupported.
func NewGuarded() (*Guarded, error) { return nil, errors.ErrUnsupported }

// Hold returns errors.ErrUnsupported.
func (*Guarded) Hold([]byte) ([]byte, error) { return nil, errors.ErrUnsupported }

// Where returns "".
func (*Guarded) Where(uintptr, []byte) string { return "" }
