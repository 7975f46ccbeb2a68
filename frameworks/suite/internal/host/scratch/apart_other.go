//go:build !unix

package scratch

import "syscall"

// apart does nothing: without /bin/sh there is no keeper.
func apart() *syscall.SysProcAttr { return nil }
