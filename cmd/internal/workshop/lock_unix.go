//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package workshop

import (
	"os"
	"path/filepath"
	"syscall"
)

// own marks a workshop as that of this process. The file gets its name when it is
// locked and written: another process takes one that is not locked for left behind.
func (w *Workshop) own(repository string) (err error) {
	name := filepath.Join(w.dir, owned)
	if w.lock, err = os.OpenFile(name+".new", os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err != nil {
		return err
	}
	lock(w.lock)
	if _, err = w.lock.WriteString(repository); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
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
