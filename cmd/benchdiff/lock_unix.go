//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"os"
	"syscall"
)

// lock locks a file until it is closed, or its process ends. It reports whether no
// other process has.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// ownedByMe reports whether a file is of this user: what another has put into the
// directory for temporary files is not to be trusted.
func ownedByMe(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	of, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(of.Uid) == os.Getuid()
}
