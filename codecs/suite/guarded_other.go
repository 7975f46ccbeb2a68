//go:build !linux && !darwin && !freebsd

package suite

import "errors"

// guarded is not there on this system, nor are victims.
type guarded struct{}

func newGuarded() (*guarded, error) { return nil, errors.ErrUnsupported }

func (*guarded) hold([]byte) ([]byte, error) { return nil, errors.ErrUnsupported }

func (*guarded) where(uintptr, []byte) string { return "" }
