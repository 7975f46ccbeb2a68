//go:build !linux

package host

import "errors"

func resetPeak() error { return errors.ErrUnsupported }
