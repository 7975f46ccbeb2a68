package suite

import (
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/recordtest"
)

// stuckAfter answers that many calls. since is when it did not answer the next.
func stuckAfter(t *testing.T, calls int) (server tiny, since chan time.Time) {
	wait, since := make(chan struct{}), make(chan time.Time, 1)
	t.Cleanup(func() { close(wait) })
	return tiny{handle: func(*tinyFrame) error { // one call at a time
		if calls--; calls < 0 {
			since <- time.Now()
			<-wait
		}
		return nil
	}}, since
}

// TestTheWatchdogOfAGivenServer: no call returns before the client is closed, since the
// server cannot be ended. Calls that are only waited for would take 10 s longer, each time.
func TestTheWatchdogOfAGivenServer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about   string
		clients string
	}{
		{"in this process", "-clients=1"},
		{"in others", "-clients=2"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "records")
			server, since := stuckAfter(t, 20_000)
			addr := running(t, server)
			out, errOut, code := self(t, bench("Echo", "-server=framework=tiny@"+addr, "-size=1B", "-conc=10", "-watchdog=1s",
				"-test.benchtime=1000000x", "-results="+dir, c.clients)...)
			require.Len(t, since, 1, "%s%s", out, errOut)
			assert.Less(t, time.Since(<-since), 9*time.Second)
			assert.Equal(t, 1, code, "%s%s", out, errOut)
			assert.Contains(t, errOut, "no call ended for 1s")
			require.Len(t, resultLines(out), 1)
			name := regexp.MustCompile(`^\S+\s+(\d+)\s`).FindStringSubmatch(resultLines(out)[0])
			iterations, err := strconv.ParseInt(name[1], 10, 64)
			require.NoError(t, err)
			for _, records := range recordtest.In(t, dir) {
				assert.EqualValues(t, 10, records[0].Result.Failed, "a call of each caller")
				assert.Equal(t, records[0].Result.Sent, iterations, "as many as were made")
			}
			assert.EqualValues(t, 10, valueOf(t, resultLines(out)[0], "errors"))
		})
	}
}
