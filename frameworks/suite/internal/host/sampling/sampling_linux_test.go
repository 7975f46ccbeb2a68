package sampling

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime/pprof"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestNothingElseIsKeptBack: the runtime's words on the rate reach nobody, and what others
// write at that time does. A second profile is refused, and the first goes on.
func TestNothingElseIsKeptBack(t *testing.T) {
	said := stderr(t, func() {
		require.NoError(t, withoutScolding(func() error {
			return forward("before " + scolding + "after\n")
		}))
		assert.EqualError(t, withoutScolding(func() error { return errors.New("no") }), "no")
		var first, second bytes.Buffer
		require.NoError(t, Start(&first))
		assert.ErrorContains(t, Start(&second), "already")
		Stop()
		assert.Positive(t, first.Len())
		require.NoError(t, pprof.StartCPUProfile(&second))
		Stop()
		assert.Positive(t, second.Len())
	})
	assert.Equal(t, "before after\n", said)
}

// stderr returns what is written to descriptor 2 while do runs.
func stderr(t *testing.T, do func()) string {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	kept, err := unix.Dup(unix.Stderr)
	require.NoError(t, err)
	require.NoError(t, unix.Dup3(int(w.Fd()), unix.Stderr, 0))
	do()
	require.NoError(t, unix.Dup3(kept, unix.Stderr, 0))
	require.NoError(t, errors.Join(unix.Close(kept), w.Close()))
	said, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(said)
}

// TestTicksAreThoseOfAKernel: it has 100 to 1,000 a second.
func TestTicksAreThoseOfAKernel(t *testing.T) {
	assert.GreaterOrEqual(t, Tick(), 900*time.Microsecond)
	assert.LessOrEqual(t, Tick(), 10*time.Millisecond)
}
