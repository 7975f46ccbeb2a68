//go:build !linux

package host

import (
	"errors"
	"os"
)

func resetPeak() error { return errors.ErrUnsupported }

func peakOf(*os.ProcessState) int64 { return 0 }
