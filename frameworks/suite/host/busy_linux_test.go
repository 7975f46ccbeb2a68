package host

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBusy(t *testing.T) {
	cpus, err := Available()
	require.NoError(t, err)
	before, err := Busy(cpus)
	require.NoError(t, err)
	own := ownCPU()
	for own+100*time.Millisecond > ownCPU() {
	}
	after, err := Busy(cpus)
	require.NoError(t, err)
	assert.Greater(t, after-before, 70*time.Millisecond, "this process is one of all, counted in hundredths of a second")
	none, err := Busy(nil)
	assert.NoError(t, err)
	assert.Zero(t, none)
}
