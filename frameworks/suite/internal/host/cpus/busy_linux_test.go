package cpus

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestBusy(t *testing.T) {
	cpus, err := Available()
	require.NoError(t, err)
	before, err := Busy(cpus)
	require.NoError(t, err)
	for until := ownCPU(t) + 100*time.Millisecond; ownCPU(t) < until; {
	}
	after, err := Busy(cpus)
	require.NoError(t, err)
	assert.Greater(t, after-before, 70*time.Millisecond, "this process is one of all, idle time is counted in hundredths of a second")
	none, err := Busy(nil)
	assert.NoError(t, err)
	assert.Zero(t, none)
}

// ownCPU returns the CPU time of this process.
func ownCPU(t *testing.T) time.Duration {
	var spent unix.Timespec
	require.NoError(t, unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &spent))
	return time.Duration(spent.Nano())
}

func TestTimesOf(t *testing.T) {
	const stat = "cpu  400 0 0 0 0 0 90 0\ncpu0 10 2 3 1000 7 8 40 9 0 0\ncpu11 20 0 0 0 0 0 50\ncpu2 1 1\ncpux 9 9\nintr 5 0 7\ncpufreq 1 2\n"
	const tick = 10 * time.Millisecond
	assert.Equal(t, map[int]times{0: {1016 * tick, 8 * tick, 40 * tick, 9 * tick}, 11: {0, 0, 50 * tick, 0}, 2: {}}, timesOf(stat))
	assert.Empty(t, timesOf(""))
}

func TestBusyIsWhatIsLeft(t *testing.T) {
	for _, c := range []struct {
		about string
		of    map[int]times
		want  time.Duration // at 100 s
		err   error
	}{
		{"two CPUs, one idle", map[int]times{0: {free: 100 * time.Second}, 1: {}, 2: {free: 30 * time.Second}}, 70 * time.Second, nil},
		{"soft interrupts are in the CPU time of processes", map[int]times{0: {free: 90 * time.Second, soft: 5 * time.Second}, 2: {free: 80 * time.Second}}, 30 * time.Second, nil},
		{"unless the kernel measures interrupts", map[int]times{0: {free: 90 * time.Second, soft: 5 * time.Second, hard: 2 * time.Second}, 2: {free: 80 * time.Second}}, 23 * time.Second, nil},
		{"of any CPU", map[int]times{0: {free: 90 * time.Second, soft: 5 * time.Second}, 1: {hard: 1}, 2: {free: 80 * time.Second}}, 25 * time.Second, nil},
		{"a CPU that went", map[int]times{0: {free: 90 * time.Second}}, 0, errors.ErrUnsupported},
		{"a system that counts nothing", map[int]times{0: {}, 2: {}}, 0, errors.ErrUnsupported},
	} {
		got, err := busyAt(100*time.Second, Set{0, 2}, c.of)
		assert.ErrorIs(t, err, c.err, c.about)
		assert.Equal(t, c.want, got, c.about)
	}
}

func TestTaken(t *testing.T) {
	cpus, err := Available()
	require.NoError(t, err)
	here, err := ReadTaken(cpus)
	require.NoError(t, err)
	none, err := ReadTaken(nil)
	require.NoError(t, err)
	assert.Equal(t, here.Others+len(cpus), none.Others, "each CPU is on one side")
	assert.Zero(t, none.Inside)
	assert.GreaterOrEqual(t, none.Outside, here.Inside+here.Outside, "they only grow")
	later := Taken{Inside: 50, Outside: 70, Others: 2}.Since(Taken{Inside: 40, Outside: 90, Others: 3})
	assert.Equal(t, Taken{Inside: 10, Others: 2}, later, "of a CPU that went, nothing is counted")
}
