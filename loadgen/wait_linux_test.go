package loadgen

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen/internal/timer"
)

// spin uses a CPU for d and ends the process.
func spin(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
	os.Exit(0)
}

// startSpinning starts a busy process for each CPU.
func startSpinning(t testing.TB) (stop func()) {
	var spinning []*exec.Cmd
	for range runtime.NumCPU() {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), envSpin+"=1")
		require.NoError(t, cmd.Start())
		spinning = append(spinning, cmd)
	}
	stop = func() {
		for _, cmd := range spinning {
			cmd.Process.Kill()
			cmd.Wait()
		}
		spinning = nil
	}
	t.Cleanup(stop)
	return stop
}

// A waiter that yields notices other busy processes, and that they have ended. Either takes
// some 10 to 200 ms, and ever longer pauses if other programs come and go meanwhile. One that
// never notices fails whatever the bound, so the bound is a minute.
func TestYieldNoticesNeighbours(t *testing.T) {
	if testing.Short() {
		t.Skip("it uses every CPU for a moment")
	}
	n, err := timer.New(true)
	require.NoError(t, err)
	defer n.Close()
	y := n.(timer.Yielder)

	stop := startSpinning(t)
	yields := func() bool { y.Yield(); return y.GivesWay() }
	assert.True(t, within(time.Minute, yields), "beside a busy process on each CPU")
	stop()
	assert.True(t, within(time.Minute, func() bool { n.Sleep(time.Millisecond); return !y.GivesWay() }), "after they have gone")
}

// within reports whether done becomes true within the given time.
func within(long time.Duration, done func() bool) bool {
	for start := time.Now(); time.Since(start) < long; {
		if done() {
			return true
		}
	}
	return false
}
