package progress

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
)

// interval is the progress after an interval of one second, with n calls of 2 ms, one of 40 ms
// and some that failed.
func interval(start time.Duration, n, failed int64) loadgen.Progress {
	p := loadgen.Progress{Elapsed: start + 1010*time.Millisecond, Ended: 1000, Responses: new(loadgen.Histogram)}
	p.Last = loadgen.Point{Start: start, OK: n + 1 - failed, Failed: failed}
	p.Responses.Record(2*time.Millisecond, n)
	p.Responses.Record(40*time.Millisecond, 1)
	return p
}

// over is the progress when a run has ended within its third second.
func over(elapsed time.Duration, n int64) loadgen.Progress {
	p := interval(2*time.Second, n, 0)
	p.Elapsed, p.Over = elapsed, true
	return p
}

func TestLine(t *testing.T) {
	idle := loadgen.Progress{Elapsed: time.Second, Responses: new(loadgen.Histogram)}
	unbegun := loadgen.Progress{Over: true, Responses: new(loadgen.Histogram)}
	for _, c := range []struct {
		about   string
		cfg     loadgen.Config
		p       loadgen.Progress
		columns int
		want    string
	}{
		{"as documented", loadgen.Config{Duration: 30 * time.Second}, interval(11*time.Second, 4999, 0), 80, "12s of 30s  5000 calls/s  p50 2ms  p99 2ms  max 40ms  0 failed"},
		{"p90 where there are too few calls for p99", loadgen.Config{Duration: 30 * time.Second}, interval(0, 500, 2), 80, "1s of 30s  499 calls/s  p50 2ms  p90 2ms  max 40ms  2 failed"},
		{"neither of very few", loadgen.Config{Duration: 30 * time.Second}, interval(0, 9, 10), 80, "1s of 30s  0 calls/s  p50 2ms  max 40ms  10 failed"},
		{"no times of no calls", loadgen.Config{Duration: 30 * time.Second}, idle, 80, "1s of 30s  0 calls/s  0 failed"},
		{"Calls end the run", loadgen.Config{Calls: 2000}, interval(0, 9, 0), 80, "1s, 1000 of 2000 calls  10 calls/s  p50 2ms  max 40ms  0 failed"},
		{"Calls or Duration do", loadgen.Config{Calls: 2000, Duration: time.Minute}, interval(0, 9, 0), 80, "1s of 1m0s, 1000 of 2000 calls  10 calls/s  p50 2ms  max 40ms  0 failed"},
		{"the schedule does", loadgen.Config{Schedule: loadgen.Steps(loadgen.Step{Rate: 9, For: time.Minute})}, interval(0, 9, 0), 80, "1s  10 calls/s  p50 2ms  max 40ms  0 failed"},
		{"a closed loop says so, since nobody waits to be sent there", loadgen.Config{Schedule: loadgen.ClosedLoop, Duration: time.Minute}, interval(0, 9, 0), 80, "1s of 1m0s  10 calls/s  p50 2ms  max 40ms  0 failed  closed loop"},
		{"the rate is a second's, whatever the Interval", loadgen.Config{Interval: 100 * time.Millisecond}, interval(1200*time.Millisecond, 9, 0), 80, "1.3s  100 calls/s  p50 2ms  max 40ms  0 failed"},
		{"the last interval is shorter", loadgen.Config{Duration: 3 * time.Second}, over(2503*time.Millisecond, 499), 80, "2.503s of 3s  994 calls/s  p50 2ms  p90 2ms  max 40ms  0 failed"},
		{"or whole, and told of later", loadgen.Config{Duration: 3 * time.Second}, over(3020*time.Millisecond, 499), 80, "3s of 3s  500 calls/s  p50 2ms  p90 2ms  max 40ms  0 failed"},
		{"an interval of no length has no rate", loadgen.Config{Duration: 3 * time.Second}, over(2*time.Second, 1), 80, "2s of 3s  p50 2ms  max 40ms  0 failed"},
		{"calls that are waited for", loadgen.Config{Duration: 3 * time.Second}, interval(4*time.Second, 9, 0), 80, "5s, 2s after the last was due  10 calls/s  p50 2ms  max 40ms  0 failed"},
		{"nothing is due in a closed loop", loadgen.Config{Schedule: loadgen.ClosedLoop, Duration: 3 * time.Second}, interval(4*time.Second, 9, 0), 80, "5s of 3s  10 calls/s  p50 2ms  max 40ms  0 failed  closed loop"},
		{"a time is told in milliseconds", loadgen.Config{Duration: 1}, interval(4*time.Second, 9, 0), 80, "5s, 5s after the last was due  10 calls/s  p50 2ms  max 40ms  0 failed"},
		{"a run that ended in its warm-up", loadgen.Config{Duration: 3 * time.Second}, unbegun, 80, "0s of 3s  0 failed"},
		{"what matters least is left out", loadgen.Config{Schedule: loadgen.ClosedLoop, Duration: 30 * time.Second}, interval(11*time.Second, 4999, 0), 70, "12s of 30s  5000 calls/s  p50 2ms  p99 2ms  max 40ms  0 failed"},
		{"p50 and the maximum go before p99", loadgen.Config{Duration: 30 * time.Second}, interval(11*time.Second, 4999, 0), 45, "12s of 30s  5000 calls/s  p99 2ms  0 failed"},
		{"failed calls stay", loadgen.Config{Duration: 30 * time.Second}, interval(11*time.Second, 4999, 3), 35, "12s of 30s  4997 calls/s  3 failed"},
		{"next to no room", loadgen.Config{Duration: 30 * time.Second}, interval(11*time.Second, 4999, 0), 5, "12s o"},
		{"none", loadgen.Config{Duration: 30 * time.Second}, interval(11*time.Second, 4999, 0), -2, ""},
	} {
		l := line{Config: c.cfg}
		assert.Equal(t, c.want, fit(l.fields(c.p), c.columns), c.about)
	}
}

// TestRuns are made in fake time. < stands for what erases a terminal's line.
func TestRuns(t *testing.T) {
	open, closed := loadgen.Constant(100), loadgen.ClosedLoop
	for _, c := range []struct {
		about, terminal string
		cfg             loadgen.Config
		end             time.Duration // of a run that is interrupted
		takes           time.Duration // a call
	}{
		{
			"the line of the end stays", "<1s of 1.5s  99 calls/s  p50 9.71ms  p90 9.71ms  max 9.71ms  1 failed<1.5s of 1.5s  100 calls/s  p50 9.71ms  max 9.71ms  1 failed\n",
			loadgen.Config{Schedule: open, Duration: 1500 * time.Millisecond},
			time.Hour, 9700 * time.Microsecond,
		},
		{
			"the rest of an interval has no line", "<1s of 1.05s  99 calls/s  p50 9.71ms  p90 9.71ms  max 9.71ms  1 failed\n",
			loadgen.Config{Schedule: open, Duration: 1050 * time.Millisecond},
			time.Hour, 9700 * time.Microsecond,
		},
		{
			"a closed loop", "<1s, 103 of 150 calls  102 calls/s  p50 9.71ms  p90 9.71ms  max 9.71ms  1 failed<1.455s, 150 of 150 calls  103.3 calls/s  p50 9.71ms  max 9.71ms  1 failed\n",
			loadgen.Config{Schedule: closed, Calls: 150},
			time.Hour, 9700 * time.Microsecond,
		},
		{
			"an interrupted run has an end too", "<1s of 1m0s  99 calls/s  p50 9.71ms  p90 9.71ms  max 9.71ms  1 failed<1.21s of 1m0s  100 calls/s  p50 9.71ms  max 9.71ms  1 failed\n",
			loadgen.Config{Schedule: open, Duration: time.Minute},
			1205 * time.Millisecond, 9700 * time.Microsecond,
		},
		{
			"and so has one that waits for its next call", "<1s of 1m0s  0 calls/s  p50 9.71ms  max 9.71ms  1 failed<2s of 1m0s  0 calls/s  1 failed<2.205s of 1m0s  0 calls/s  1 failed\n",
			loadgen.Config{Schedule: loadgen.Constant(.1), Duration: time.Minute},
			2205 * time.Millisecond, 9700 * time.Microsecond,
		},
		{
			"and so has one whose calls hang until Drain is over", "<1s of 1m0s  0 calls/s  0 failed<2s of 1m0s  0 calls/s  0 failed<2.235s of 1m0s  0 calls/s  p50 2.23s  max 2.23s  1 failed\n",
			loadgen.Config{Schedule: open, Duration: time.Minute, Drain: time.Second},
			1205 * time.Millisecond, time.Hour,
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			var terminal, file strings.Builder
			c.cfg.Workers, c.cfg.RuntimeTimers = 1, true
			onTerminal, inFile := to(&terminal, func() int { return defaultColumns + interruptRoom }, c.cfg), Print(&file, c.cfg)
			c.cfg.OnProgress = func(p loadgen.Progress) error { return errors.Join(onTerminal(p), inFile(p)) }
			for range 2 { // nothing of a run is left for the next
				terminal.Reset()
				file.Reset()
				ctx, cancel := context.WithTimeout(t.Context(), c.end)
				_, err := loadgen.Run(ctx, c.cfg, failing(c.takes))
				require.ErrorIs(t, err, ctx.Err(), c.about)
				cancel()
				time.Sleep(c.takes) // calls that hang end
			}
			assert.Equal(t, c.terminal, strings.ReplaceAll(terminal.String(), erase, "<"), c.about)
			lines := strings.TrimPrefix(strings.TrimSuffix(c.terminal, "\n"), "<")
			assert.Equal(t, strings.ReplaceAll(lines, "<", "\n")+"\n", file.String(), c.about)
		})
	}
}

// failing returns a call, the first of which fails.
func failing(takes time.Duration) loadgen.Call {
	first := errors.New("first")
	return func(context.Context, int) error {
		time.Sleep(takes)
		defer func() { first = nil }()
		return first
	}
}

func TestARunGoesOnWithoutItsProgress(t *testing.T) {
	closed, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	assert.NoError(t, Print(closed, loadgen.Config{})(interval(0, 1, 0)))
}
