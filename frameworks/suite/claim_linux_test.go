package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
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

// logged is a test that hands on what it logs.
type logged struct {
	testing.TB
	said chan any
}

func (l logged) Log(args ...any) { l.said <- args[0] }

// TestOneClaimAtATime claims twice: the lock is that of an open file, so a process
// waits for itself, too, and says so.
func TestOneClaimAtATime(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	release := claimMachine(t)
	second, claimed := logged{t, make(chan any, 2)}, make(chan struct{})
	go func() {
		defer close(claimed)
		claimMachine(second)()
	}()
	select {
	case said := <-second.said:
		assert.Equal(t, "waits for another test's heavy part", said)
	case <-claimed:
		require.Fail(t, "two claims at a time")
	case <-time.After(tester.Enough):
		require.Fail(t, "it waits without a word")
	}
	release()
	select {
	case <-claimed:
		assert.Empty(t, second.said, "it is said once")
	case <-time.After(tester.Enough):
		assert.Fail(t, "a released claim was not had")
	}
}
