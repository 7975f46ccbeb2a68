//go:build !linux

package tcp

import (
	"errors"
	"fmt"
)

// errWindow is the error of a system on which the windows of TCP cannot be set.
var errWindow = fmt.Errorf("only Linux lets a program fix the windows of TCP: %w", errors.ErrUnsupported)

func (window) check() error { return errWindow }

func (window) set(uintptr) error { return errWindow }

func (window) clamp(uintptr) error { return errWindow }
