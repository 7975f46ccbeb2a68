//go:build !linux

package host

import "errors"

func resetPeak() error { return errors.ErrUnsupported }

func watchPeak(int) (stop func() int64) { return func() int64 { return 0 } }
