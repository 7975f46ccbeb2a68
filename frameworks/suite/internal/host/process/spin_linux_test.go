package process

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
)

// TestSpin: each CPU is busy while it is asked for.
func TestSpin(t *testing.T) {
	all, err := cpus.Available()
	require.NoError(t, err)
	before, err := cpus.Busy(all)
	require.NoError(t, err)
	stop, err := Spin(all)
	require.NoError(t, err)
	time.Sleep(300 * time.Millisecond)
	stop()
	after, err := cpus.Busy(all)
	require.NoError(t, err)
	assert.Greater(t, after-before, time.Duration(len(all))*100*time.Millisecond)
}
