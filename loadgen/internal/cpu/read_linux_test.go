package cpu

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestLinesOfProcStat gives each column a number of its own.
func TestLinesOfProcStat(t *testing.T) {
	set := new(cpuSet)
	set[0] = 0b10010 // CPUs 1 and 4
	const ms = time.Millisecond
	one := Usage{CPUs: 1, Busy: (1 + 2 + 4) * 10 * ms, Idle: (8 + 16) * 10 * ms, Stolen: 128 * 10 * ms}
	for _, c := range []struct {
		about, line string
		want        Usage
	}{
		{"a CPU of this process", "cpu4 1 2 4 8 16 32 64 128 256 512", one},
		{"as an old kernel writes it", "cpu1 1 2 4 8 16 32 64 128", one},
		{"a CPU of others", "cpu2 1 2 4 8 16 32 64 128 256 512", Usage{}},
		{"the sum of all CPUs", "cpu  1 2 4 8 16 32 64 128 256 512", Usage{}},
		{"a kernel that tells less", "cpu4 1 2 4 8 16 32 64", Usage{}},
		{"another line", "intr 4 1 2 4 8 16 32 64 128 256", Usage{}},
	} {
		var got Usage
		got.addCPU(strings.Fields(c.line), set)
		assert.Equal(t, c.want, got, c.about)
	}
	assert.False(t, set.has(-1))
	assert.False(t, set.has(1<<20))
}

// TestOwnCPUsAreRead compares the CPUs of /proc/stat with those that this process
// may use.
func TestOwnCPUsAreRead(t *testing.T) {
	c := Read(3 * time.Second)
	if !c.Known {
		t.Skip("the system does not say")
	}
	set, _ := allowedCPUs()
	allowed := 0
	for cpu := range 8192 {
		if set.has(cpu) {
			allowed++
		}
	}
	assert.Equal(t, allowed, c.CPUs)
	assert.Equal(t, 3*time.Second, c.At)
	assert.Positive(t, c.Busy+c.Idle)
}
