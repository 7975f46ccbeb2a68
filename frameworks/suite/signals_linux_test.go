package suite

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
	"github.com/rpcbench/rpcbench/frameworks/suite/recordtest"
)

var ends = flag.Int("ends", 20, "how many runs TestSignalsAtRandomMoments ends; 200 take a minute")

// envRun is an environment variable that finds the processes of a run: those that the
// suite starts inherit it.
const envRun = "RPCBENCH_TEST_RUN"

// TestSignalsAtRandomMoments ends runs by a signal. None may hang, panic, end with 0
// before it is complete, or leave a process, a half file or a line without its record.
func TestSignalsAtRandomMoments(t *testing.T) {
	t.Parallel()
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL}
	kinds := [][]string{
		measuring("Echo", "-framework=flaky,tiny", "-size=1B,2B", "-conc=10"),
		measuring("Rate|Workload", "-framework=tiny", "-size=1B", "-rate=20000", "-conc=10", "-pin=off"),
		measuring("Echo", "-framework=tiny", "-size=1B,2B", "-conc=10", "-clients=2"),
		{"-test.run=^TestConformanceOf$", "-framework=tiny"},
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range *ends {
		name, args := signals[i%len(signals)], kinds[i/len(signals)%len(kinds)]
		after := time.Duration(random.Int64N(int64(time.Second)))
		t.Run(fmt.Sprintf("%d: %v after %v", i, name, after.Round(time.Millisecond)), func(t *testing.T) {
			t.Parallel()
			r := startRun(t, args)
			time.Sleep(after)
			r.cmd.Process.Signal(name) // fails if the run has ended
			r.endsWell(name == syscall.SIGKILL)
		})
	}
}

// TestNohup: a run that was started to outlive its terminal does.
func TestNohup(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about, script string
		code          int
	}{
		{"with nohup", `trap "" HUP; exec "$0" "$@"`, 0},
		{"without", `exec "$0" "$@"`, 130},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			r := startRun(t, measuring("Rate", "-framework=tiny", "-size=1B", "-rate=1000"), "sh", "-c", c.script)
			begun := func() bool { return strings.Contains(r.text(), "/rate=1000") }
			require.Eventually(t, begun, time.Minute, time.Millisecond)
			require.NoError(t, r.cmd.Process.Signal(syscall.SIGHUP))
			r.endsWell(false)
			assert.Equal(t, c.code, r.cmd.ProcessState.ExitCode(), r.text())
		})
	}
}

// TestServeEndsWithItsTerminal: a serving side ends in order, with the servers.
func TestServeEndsWithItsTerminal(t *testing.T) {
	t.Parallel()
	r := startRun(t, []string{"-serve"})
	require.Eventually(t, func() bool { return strings.Contains(r.text(), "\n") }, time.Minute, time.Millisecond)
	addr := strings.Fields(r.text()[strings.LastIndex(r.text(), " ")+1:])[0]
	m, err := remote.Dial(t.Context(), addr, remote.Secret{})
	require.NoError(t, err)
	_, err = m.Start(t.Context(), remote.Request{Serve: "framework=tiny/transport=tcp/codec=gob"})
	require.NoError(t, err)
	require.Len(t, r.processes(), 2)
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGHUP))
	select {
	case <-r.ended:
	case <-time.After(time.Minute):
		require.Fail(t, "it hangs")
	}
	assert.Zero(t, r.cmd.ProcessState.ExitCode())
	assert.Eventually(t, func() bool { return len(r.processes()) == 0 }, tester.Enough, 10*time.Millisecond)
}

// signalled is a run of this binary whose outputs are one file, as under go test.
type signalled struct {
	*testing.T
	cmd     *exec.Cmd
	id      string
	dir     string // of all that it writes
	records string // directory
	ended   chan struct{}
}

// startRun starts it, by a command if one is given.
func startRun(t *testing.T, args []string, by ...string) *signalled {
	return startRunIn(t, nil, args, by...)
}

// startRunIn is startRun with other variables in the environment.
func startRunIn(t *testing.T, env, args []string, by ...string) *signalled {
	heedsHangups(t)
	dir := t.TempDir()
	r := &signalled{T: t, id: envRun + "=" + dir, dir: dir, records: filepath.Join(dir, "records"), ended: make(chan struct{})}
	out, err := os.Create(filepath.Join(dir, "out"))
	require.NoError(t, err)
	defer out.Close()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "tmp"), 0o777))
	args = slices.Concat(by, []string{os.Args[0]}, args, []string{"-results=" + r.records})
	r.cmd = exec.Command(args[0], args[1:]...)
	r.cmd.Env = append(environment(env), r.id, "TMPDIR="+filepath.Join(dir, "tmp"))
	r.cmd.Stdout, r.cmd.Stderr = out, out
	wait, err := process.Begin(r.cmd)
	require.NoError(t, err)
	go func() {
		wait() //nolint:errcheck // the test reads its ProcessState
		close(r.ended)
	}()
	t.Cleanup(r.kill)
	return r
}

// kill ends all that is left of the run.
func (r *signalled) kill() {
	r.cmd.Process.Kill()
	<-r.ended
	for _, pid := range r.processes() {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

func (r *signalled) endsWell(killed bool) {
	select {
	case <-r.ended:
	case <-time.After(time.Minute):
		require.Fail(r, "it hangs")
	}
	out := r.text()
	assert.NotRegexp(r, `(?m)^(panic|fatal error|goroutine \d+)`, out)
	complete := strings.Contains(out, "\nPASS\n") || strings.HasPrefix(out, "PASS\n") || strings.Contains(out, "# failed calls: ")
	assert.True(r, complete || r.cmd.ProcessState.ExitCode() != 0, "%v: %s", r.cmd.ProcessState, out)
	r.hasWholeLines(out, killed)
	r.hasTheRecordsOf(out, killed)
	assert.Eventually(r, func() bool { return len(r.processes()) == 0 }, tester.Enough, 10*time.Millisecond, "%v are left", r.processes())
}

func (r *signalled) text() string {
	text, err := os.ReadFile(filepath.Join(r.dir, "out"))
	require.NoError(r, err)
	return string(text)
}

// hasWholeLines sees that nothing was printed into a line, except the end of a run
// that was killed or by package testing.
func (r *signalled) hasWholeLines(out string, killed bool) {
	whole := regexp.MustCompile(`^(Unit |[a-z][a-z0-9-]*: |# |PASS$|FAIL$|--- |=== |ok |\s|Benchmark[^#]*(\s[0-9.]+ conns|/\S+\s*)(\s.*)?$|$)`)
	lines := strings.Split(out, "\n")
	for i, line := range lines {
		if last := i == len(lines)-1; !killed || !last {
			assert.Regexp(r, whole, line, out)
		}
	}
}

// hasTheRecordsOf sees that result lines and records are of the same cases. The last
// line may have been printed just when the run was ended.
func (r *signalled) hasTheRecordsOf(out string, killed bool) {
	halves, err := filepath.Glob(filepath.Join(r.records, ".*"))
	require.NoError(r, err)
	left, err := filepath.Glob(filepath.Join(r.dir, "tmp", "[^r]*")) // the lock rpcbench-UID.lock stays
	require.NoError(r, err)
	assert.Empty(r, left)
	for _, half := range halves {
		assert.True(r, killed, half)
		require.NoError(r, os.Remove(half))
	}
	kept := 0
	for name, list := range recordtest.In(r.T, r.records) {
		kept += len(list)
		assert.Contains(r, out, name)
	}
	lines := resultLines(out)
	assert.LessOrEqual(r, kept, len(lines))
	assert.GreaterOrEqual(r, kept, len(lines)-1)
	for i, line := range lines {
		if name := regexp.MustCompile(`^\S+/conc=\d+`).FindString(line); strings.Contains(name, "flaky") && !killed && i < len(lines)-1 {
			assert.Contains(r, out, "# failed calls: "+name)
		}
	}
}

// processes lists the processes of the run by their environment.
func (r *signalled) processes() (pids []int) {
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(r, err)
	for _, file := range all {
		if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte(r.id)) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			require.NoError(r, err)
			pids = append(pids, pid)
		}
	}
	return pids
}

// heedsHangups has SIGHUP end what the test starts, also if the tests run under
// nohup: a process inherits what is ignored, and not what is handled.
func heedsHangups(t *testing.T) {
	t.Helper()
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(c) })
}
