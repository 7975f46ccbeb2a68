package resident

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestStatusBytes(t *testing.T) {
	status := []byte("Name:\tserver\nVmHWM:\t   20 kB\nVmRSS:\t   12 kB\n")
	assert.EqualValues(t, 12<<10, statusBytes(status, "VmRSS:"))
	assert.EqualValues(t, 20<<10, statusBytes(status, "VmHWM:"))
	assert.Zero(t, statusBytes(status, "VmSwap:"))
}
