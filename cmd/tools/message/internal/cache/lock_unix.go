//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cache

import (
	"os"
	"syscall"
)

// try locks a file until it is closed, also by processes that have inherited it, if no other
// process has.
func try(f *os.File) bool { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil }

// wait does so once no other process has.
func wait(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }

// inherit has other processes keep the lock: those that begin have the descriptor, which Go would
// close in them.
func inherit(f *os.File) error {
	_, err := syscall.Dup(int(f.Fd()))
	return err
}
