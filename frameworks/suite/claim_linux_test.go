package suite

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	case <-time.After(enough):
		require.Fail(t, "it waits without a word")
	}
	release()
	select {
	case <-claimed:
		assert.Empty(t, second.said, "it is said once")
	case <-time.After(enough):
		assert.Fail(t, "a released claim was not had")
	}
}
