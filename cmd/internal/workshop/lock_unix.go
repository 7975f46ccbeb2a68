//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package workshop

import (
	"os"
	"syscall"
)

// own makes the file that marks a workshop as that of this process. The file gets its name
// when it is locked and written: another process takes one that is not locked for left behind.
func own(name, repository string) (f *os.File, err error) {
	if f, err = os.OpenFile(name+".new", os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err != nil {
		return nil, err
	}
	lock(f)
	if _, err = f.WriteString(repository); err != nil {
		return f, err
	}
	return f, os.Rename(name+".new", name)
}

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
