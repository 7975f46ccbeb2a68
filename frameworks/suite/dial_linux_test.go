package suite

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dialOnce is a run of Dial with few samples.
func dialOnce(args ...string) []string {
	return append([]string{"-test.run=^$", "-test.benchtime=1x", "-test.bench=Dial"}, args...)
}

func TestDialFindsWhatIsPlanted(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, dialOnce("-framework=tiny,slow", "-down=none")...)
	require.Zero(t, code, "%s%s", out, errOut)
	lines := resultLines(out)
	require.Len(t, lines, 2)
	quick, slow := columnsOf(t, lines[0]), columnsOf(t, lines[1])
	for _, c := range []columns{quick, slow} {
		assert.EqualValues(t, 1, c["conns"], "each client has one connection: %v", c)
		assert.Zero(t, c["errors"], "%v", c)
		assert.GreaterOrEqual(t, c["max-ns"], .98*c["p50-ns"])
		assert.Positive(t, c["server-allocs/op"])
		assert.Positive(t, c["allocs/op"])
	}
	assert.GreaterOrEqual(t, slow["dial-ns"], .98*ms(10))
	assert.GreaterOrEqual(t, slow["first-call-ns"], .98*ms(20))
	assert.GreaterOrEqual(t, slow["p50-ns"], .98*ms(30), "dial and call")
	assert.Greater(t, slow["first-call-ns"], slow["dial-ns"])
	assert.Less(t, quick["p50-ns"], slow["p50-ns"])
}

func TestDialAfterARestart(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, dialOnce("-framework=tiny,once,sulky", "-down=200ms", "-watchdog=3s")...)
	require.Zero(t, code, "a client that does not come back is no failed call: %s%s", out, errOut)
	lines := resultLines(out)
	require.Len(t, lines, 3)
	tiny, once, sulky := columnsOf(t, lines[0]), columnsOf(t, lines[1]), columnsOf(t, lines[2])
	for _, c := range []columns{tiny, sulky} {
		assert.EqualValues(t, 1, c["reconnects"])
		assert.EqualValues(t, 1, c["conns"])
		assert.Positive(t, c["reconnect-ns"])
		assert.Equal(t, c["reconnect-ns"], c["max-ns"], "of a single restart")
	}
	assert.Positive(t, sulky["failed-calls"])
	assert.LessOrEqual(t, sulky["failed-calls"], 200., "less those before the server said that it was up, which a busy machine hears late")
	assert.GreaterOrEqual(t, sulky["reconnect-ns"], ms(sulky["failed-calls"]-1), "a millisecond after each")
	assert.Less(t, tiny["failed-calls"], sulky["failed-calls"])
	assert.Zero(t, once["reconnects"])
	assert.NotContains(t, lines[1], "reconnect-ns")
	assert.NotContains(t, lines[1], "failed-calls")
	assert.Regexp(t, `(?m)^# no figures: BenchmarkDial/framework=once/\S+: of how long a client takes to reconnect: it had not 3s after the server was up again: its calls fail with: the connection was lost$`, errOut)
}

func TestDialOfAServerThatIsRunningAlready(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, dialOnce("-server=framework=tiny@"+running(t, tiny{}))...)
	require.Zero(t, code, "%s%s", out, errOut)
	require.Len(t, resultLines(out), 1)
	assert.Regexp(t, `/down=none(-\d+)?\s`, out)
	assert.Regexp(t, `(?m)^# skipped: Dial/down=500ms of \S+ at \S+: it restarts the server$`, out)
}
