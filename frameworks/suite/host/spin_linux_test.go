package host

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSpin: each CPU is busy while it is asked for.
func TestSpin(t *testing.T) {
	cpus, err := Available()
	require.NoError(t, err)
	before, err := Busy(cpus)
	require.NoError(t, err)
	stop, err := Spin(cpus)
	require.NoError(t, err)
	time.Sleep(300 * time.Millisecond)
	stop()
	after, err := Busy(cpus)
	require.NoError(t, err)
	assert.Greater(t, after-before, time.Duration(len(cpus))*100*time.Millisecond)
}
