//go:build linux || darwin || freebsd

package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// claimAttempts and claimPause bound how long claimMachine waits: ten minutes, in
// which the heavy parts of all packages end.
const (
	claimAttempts = 6000
	claimPause    = 100 * time.Millisecond
)

// claimMachine waits until no other process is between claimMachine and release: go
// test runs packages side by side. Where there can be no lock, or none in time, it goes
// on without. The file stays: a process that removed it would take it from those that
// wait for it, while others claim a new one of the same name.
func claimMachine(t testing.TB) (release func()) {
	lock, err := os.OpenFile(filepath.Join(os.TempDir(), fmt.Sprintf("rpcbench-%d.lock", os.Getuid())), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return func() {}
	}
	for i := range claimAttempts {
		switch err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err != syscall.EWOULDBLOCK && err != syscall.EINTR: // it is had, or cannot be
			return func() { lock.Close() }
		case i == 0:
			t.Log("waits for another test's heavy part")
		}
		time.Sleep(claimPause)
	}
	t.Log("goes on beside another test's heavy part, which takes very long")
	return func() { lock.Close() }
}
