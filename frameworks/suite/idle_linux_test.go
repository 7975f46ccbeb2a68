package suite

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// idleOnce is a run of Idle with few calls: what connections hold does not depend on them.
func idleOnce(args ...string) []string {
	return append([]string{"-test.run=^$", "-test.benchtime=1x", "-test.bench=Idle"}, args...)
}

// TestIdleFindsWhatIsPlanted has a framework that keeps some memory for each connection.
// Slow: 3,000 connections to each of two frameworks are opened three times.
func TestIdleFindsWhatIsPlanted(t *testing.T) {
	t.Parallel()
	alone(t)
	const times = 3
	out, errOut, code := self(t, idleOnce("-framework=tiny,keeper", "-idle=3000", "-test.count="+strconv.Itoa(times))...)
	require.Zero(t, code, errOut)
	lines := resultLines(out)
	require.Len(t, lines, 2*times)
	var plain, planted []columns
	for i, line := range lines {
		c := columnsOf(t, line)
		assert.EqualValues(t, 3000, c["conns"], line)
		assert.Zero(t, c["errors"], line)
		assert.Positive(t, c["accepts/s"], line)
		assert.Contains(t, line, " server-cpu-ns/op")
		for unit, want := range map[string]float64{
			"client-fds/conn": 1, "server-fds/conn": 1, "server-goroutines/conn": 1, "client-goroutines/conn": 0,
		} {
			assert.InDelta(t, want, c[unit], .01, "%s: %s", unit, line)
		}
		if i < times {
			plain = append(plain, c)
		} else {
			planted = append(planted, c)
		}
	}
	for _, f := range []struct {
		unit      string
		want      float64
		off, vary float64 // as shares; more where pages are counted that are partly in use
	}{
		{"server-heap-B/conn", 4 << 10, .05, .01},
		{"client-heap-B/conn", 8 << 10, .05, .01},
		{"server-rss-B/conn", 4 << 10, .2, .05},
		{"client-rss-B/conn", 8 << 10, .2, .05},
	} {
		assert.InEpsilon(t, f.want, middle(planted, f.unit)-middle(plain, f.unit), f.off, f.unit)
		assert.Less(t, spread(plain, f.unit), f.vary, f.unit)
		assert.Less(t, spread(planted, f.unit), f.vary, f.unit)
	}
}

// values are the figures of a unit, the least first.
func values(list []columns, unit string) (all []float64) {
	for _, c := range list {
		all = append(all, c[unit])
	}
	slices.Sort(all)
	return all
}

func middle(list []columns, unit string) float64 { return values(list, unit)[len(list)/2] }

// spread is how far the figures of a unit are from their middle, as a share of it.
func spread(list []columns, unit string) float64 {
	all, m := values(list, unit), middle(list, unit)
	return max(all[len(all)-1]-m, m-all[0]) / m
}

func TestIdleBesideCallsOfAServerThatIsRunningAlready(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, idleOnce("-server=framework=tiny@"+running(t, tiny{}), "-idle=20")...)
	require.Zero(t, code, "%s%s", out, errOut)
	require.Len(t, resultLines(out), 1)
	assert.Regexp(t, `/idle=20(-\d+)?\s.*\s20\.00 conns`, out)
	assert.Contains(t, out, " client-heap-B/conn")
	assert.NotContains(t, resultLines(out)[0], " server-")
	assert.Regexp(t, `(?m)^# no figures: BenchmarkIdle/\S+: of what the server holds: the server was not started by this process`, errOut)
	assert.NotContains(t, errOut, "# warning")
}

// TestIdleWithFewDescriptors runs as a user who may not raise the limit, and as root.
func TestIdleWithFewDescriptors(t *testing.T) {
	unraced(t)
	t.Parallel()
	for _, c := range []struct {
		about       string
		may         bool
		least, most float64 // connections
		warning     string
	}{
		{"a user has fewer connections than asked for", false, 100, 699, `(?m)^# warning: \S+idle=1000\S*: it has fewer idle connections than its name says, see conns: a process may open 700 files: raise the limit \(ulimit -n\)`},
		{"the limit of root is raised", true, 1000, 1000, ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			if c.may && exec.Command("sh", "-c", "ulimit -n 700 && ulimit -n 800").Run() != nil {
				t.Skip("this process may not raise the limit")
			}
			out, errOut := withFiles(t, 700, c.may, idleOnce("-framework=tiny", "-idle=1000")...)
			require.Len(t, resultLines(out), 1, out+errOut)
			conns := columnsOf(t, resultLines(out)[0])["conns"]
			assert.GreaterOrEqual(t, conns, c.least)
			assert.LessOrEqual(t, conns, c.most)
			if c.warning == "" {
				assert.NotContains(t, errOut, "warning")
			} else {
				assert.Regexp(t, regexp.MustCompile(c.warning), errOut)
			}
		})
	}
}

// withFiles runs this test binary with a hard limit of open files. Unless it may raise that,
// it lacks the capability to do so, as the processes of all users but root do.
func withFiles(t *testing.T, files int, may bool, args ...string) (stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -n "$0" && exec "$@"`, strconv.Itoa(files), os.Args[0]}, args...)...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // which ends with this goroutine, and has lost the capability
		if !may {
			_ = unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_SYS_RESOURCE, 0, 0, 0) // fails for who has it not
		}
		started <- cmd.Start()
	}()
	require.NoError(t, <-started)
	require.NoError(t, cmd.Wait(), "%s%s", &out, &errOut)
	return out.String(), errOut.String()
}
