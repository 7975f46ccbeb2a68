//go:build !linux

package ends

import (
	"os/exec"
	"syscall"
)

// WithParent does nothing: only Linux ends a child with its parent.
func WithParent(*exec.Cmd, syscall.Signal) {}
