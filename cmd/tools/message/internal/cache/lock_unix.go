//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cache

import (
	"os"
	"syscall"
)

// try locks a file until it is closed or its process ends, if no other process has.
func try(f *os.File) bool { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil }

// wait does so once no other process has.
func wait(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }
