//go:build !linux

package sockets

import (
	"errors"
	"fmt"
)

// OwnTraffic is not known on this system.
func OwnTraffic(Ports) (Traffic, error) {
	return Traffic{}, fmt.Errorf("only Linux tells the bytes of a connection: %w", errors.ErrUnsupported)
}

// OwnWindows are not known on this system.
func OwnWindows(Ports) (Windows, error) {
	return Windows{}, fmt.Errorf("only Linux tells the windows of a connection: %w", errors.ErrUnsupported)
}
