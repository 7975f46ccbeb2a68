package suite

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// needsLines skips a test on a machine that can have no lines.
func needsLines(t *testing.T) {
	t.Helper()
	_, errOut, code := self(t, bench("Echo", "-framework=tiny", "-size=1B", "-net=delay-1ms", "-cases")...)
	if strings.Contains(errOut, "no network of its own: ") {
		t.Skip(errOut)
	}
	require.Zero(t, code, errOut)
}

// carriers are the processes of a run that carry packets.
func (r *signalled) carriers() (pids []int) {
	for _, pid := range r.processes() {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err == nil && bytes.Contains(text, []byte("RPCBENCH_LINE=")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestTornLine: the run in which a line is torn ends before its watchdog, with the calls
// that failed in its line. Cases over the same line have none.
func TestTornLine(t *testing.T) {
	needsLines(t)
	for _, c := range []struct {
		about string
		args  []string
	}{
		{"a closed loop, and a case after it", bench("Echo", "-framework=tiny", "-size=1B,2B", "-conc=10", "-test.benchtime=1000000x")},
		{"an open loop", bench("Rate", "-framework=tiny", "-size=1B", "-rate=1000", "-test.benchtime=100000x")},
		{"callers in other processes", bench("Echo", "-framework=tiny", "-size=1B", "-conc=10", "-clients=2", "-watchdog=3s", "-test.benchtime=1000000x")},
		{"messages on streams", bench("Stream", "-framework=spend", "-size=1B", "-conc=10", "-test.benchtime=1000000x")},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			r := startRun(t, append(c.args, "-net=delay-1ms"))
			measuring := func() bool { return strings.Contains(r.text(), "/net=delay-1ms") }
			require.Eventually(t, measuring, time.Minute, 10*time.Millisecond)
			time.Sleep(time.Second) // the first rounds are over
			carriers := r.carriers()
			require.Len(t, carriers, 1)
			torn := time.Now()
			require.NoError(t, syscall.Kill(carriers[0], syscall.SIGKILL))
			r.endsWell(false)
			assert.Less(t, time.Since(torn), 25*time.Second, "the watchdog and what it waits for take longer")
			assert.Equal(t, 1, r.cmd.ProcessState.ExitCode())
			lines := resultLines(r.text())
			require.Len(t, lines, 1, r.text())
			assert.Positive(t, valueOf(t, lines[0], "errors"))
			assert.Contains(t, r.text(), "carries no more: signal: killed")
		})
	}
}
