package resident

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestStatusBytes(t *testing.T) {
	status := []byte("Name:\tserver\nVmHWM:\t   20 kB\nVmRSS:\t   12 kB\n")
	assert.EqualValues(t, 12<<10, statusBytes(status, "VmRSS:"))
	assert.EqualValues(t, 20<<10, statusBytes(status, "VmHWM:"))
	assert.Zero(t, statusBytes(status, "VmSwap:"))
}

func TestTogether(t *testing.T) {
	own := Together(os.Getpid())
	assert.Greater(t, own, int64(1<<20))
	assert.Greater(t, Together(os.Getpid(), os.Getppid()), own)
	assert.Zero(t, Together(os.Getpid(), 1<<30), "a process that is not there")
	assert.Zero(t, Together())
}

func TestAnonymousIsAPartOfWhatIsResident(t *testing.T) {
	now, _ := Own()
	assert.Greater(t, now, Anonymous())
	assert.Positive(t, Anonymous())
}

func TestMachine(t *testing.T) {
	total, available := Machine()
	assert.Greater(t, total, available)
	assert.Greater(t, available, int64(1<<20))
}
