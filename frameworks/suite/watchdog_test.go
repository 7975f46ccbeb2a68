package suite

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
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
	unraced(t)
	for _, c := range []struct {
		about   string
		clients string
	}{
		{"in this process", "-clients=1"},
		{"in others", "-clients=2"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			assertSoon(t, 9*time.Second, func() time.Duration { return untilTheWatchdogEnds(t, c.clients) })
		})
	}
}

// assertSoon wants one of three tries to take less than the bound: a busy machine is slow at
// times, and what is wrong is so each time.
func assertSoon(t *testing.T, bound time.Duration, try func() time.Duration) {
	t.Helper()
	var took []time.Duration
	for len(took) < 3 {
		took = append(took, try())
		if slices.Min(took) < bound {
			return
		}
	}
	assert.Fail(t, "it takes too long each time", "%v, where less than %v is expected", took, bound)
}

// untilTheWatchdogEnds returns how long a run goes on with a server that answers no more.
func untilTheWatchdogEnds(t *testing.T, clients string) (took time.Duration) {
	dir := filepath.Join(t.TempDir(), "records")
	server, since := stuckAfter(t, 20_000)
	addr := running(t, server)
	out, errOut, code := self(t, measuring("Echo", "-server=framework=tiny@"+addr, "-size=1B", "-conc=10", "-watchdog=1s",
		"-test.benchtime=1000000x", "-results="+dir, clients)...)
	if len(since) == 0 { // a busy machine ends the warm-up, too
		t.Log(errOut)
		return time.Hour
	}
	took = time.Since(<-since)
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
	assert.EqualValues(t, 10, tester.Value(t, resultLines(out)[0], "errors"))
	return took
}
