//go:build !linux

package host

import (
	"errors"
	"fmt"
)

// Switches is not known on this system.
func Switches(int) (int64, error) {
	return 0, fmt.Errorf("context switches are told by Linux only: %w", errors.ErrUnsupported)
}
