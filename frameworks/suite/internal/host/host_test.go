package host

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/ports"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/tail"
)

// patience bounds how long anything that should happen soon takes on a busy machine.
const patience = 10 * time.Second

// launch starts a child, which the end of the test stops.
func launch(t *testing.T, c Config) *Host {
	t.Helper()
	h, err := Start(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(h.Kill)
	return h
}

// ask sends a line to the server of h and returns its answer; "" if there is none.
func ask(t *testing.T, h *Host, line string) string {
	t.Helper()
	c, err := net.DialTimeout("tcp", h.Addr(), patience)
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	_, err = fmt.Fprintln(c, line)
	require.NoError(t, err)
	answer, _ := bufio.NewReader(c).ReadString('\n')
	return strings.TrimSuffix(answer, "\n")
}

func requireEnded(t *testing.T, h *Host) {
	t.Helper()
	require.True(t, h.await(patience), "the child is still there")
}

func TestServerInAnotherProcess(t *testing.T) {
	h := launch(t, Config{Serve: "echo", Procs: 3})

	ready := h.Ready()
	assert.Equal(t, h.Addr(), ready.Addr)
	assert.True(t, strings.HasPrefix(ready.Control, "127.0.0.1:"), ready.Control)
	assert.Equal(t, map[string]string{"example.com/echo": "v1.2.3"}, ready.Versions)
	assert.Equal(t, 3, ready.Procs)
	assert.Equal(t, runtime.NumCPU(), ready.NumCPU)
	assert.Equal(t, runtime.Version(), ready.GoVersion)
	assert.NotEqual(t, os.Getpid(), ready.PID)
	assert.Equal(t, "hello", ask(t, h, "hello"))
	assert.NoError(t, h.Err())

	assert.NoError(t, h.Stop())
	requireEnded(t, h)
	assert.NoError(t, h.Err(), "an orderly end is no error")
	assert.NoError(t, h.Stop(), "stopping again does nothing")
	_, err := h.Figures(t.Context())
	assert.ErrorContains(t, err, "figures of echo: the server has ended")
	cpu, err := h.CPU()
	assert.NoError(t, err)
	assert.Positive(t, cpu, "the CPU time of the whole life stays known")
}

func TestArgReachesTheServerAlone(t *testing.T) {
	h := launch(t, Config{Serve: "echo", Arg: "db=a secret"})
	assert.Equal(t, `db=a secret, and in the environment ""`, ask(t, h, "arg"))
	ask(t, h, "die 7")
	requireEnded(t, h)
	assert.NotContains(t, h.Err().Error(), "secret")

	_, err := Start(t.Context(), Config{Serve: "fails", Arg: "db=a secret"})
	assert.ErrorContains(t, err, "the port is taken")
	assert.NotContains(t, err.Error(), "secret")
}

func TestServersHaveAChosenEnvironment(t *testing.T) {
	for _, c := range []struct{ about, name, has string }{
		{"a proxy is taken by one framework and not by another", "https_proxy", ""},
		{"a setting of one framework", "GRPC_GO_LOG_SEVERITY_LEVEL", ""},
		{"a hook's commit is not the server's", "GIT_INDEX_FILE", ""},
		{"a server is no rank", "SLURM_PROCID", ""},
		{"a server of somebody else reads its own", "MYAPP_CONFIG", "1"},
	} {
		t.Setenv(c.name, "1")
		assert.Equal(t, strconv.Quote(c.has), ask(t, launch(t, Config{Serve: "echo"}), "environment "+c.name), c.about)
	}
}

func TestRuntimeChoosesProcs(t *testing.T) {
	t.Setenv("GOMAXPROCS", "7")
	h := launch(t, Config{Serve: "echo"})
	assert.NotEqual(t, 7, h.Ready().Procs, "GOMAXPROCS of the parent is the parent's")
}

func TestChildrenHaveTheSettingsOfTheirParent(t *testing.T) {
	for key, value := range map[string]string{"GOGC": "50", "GOMEMLIMIT": "1GiB", "GODEBUG": "madvdontneed=1"} {
		t.Setenv(key, value)
	}
	got := launch(t, Config{Serve: "echo"}).Ready().Settings
	assert.Equal(t, "50", got["gogc"])
	assert.Equal(t, "1073741824", got["gomemlimit"])
	assert.Equal(t, "madvdontneed=1", got["godebug"])
	assert.NotEmpty(t, got["pgo"])
}

func TestFailedStart(t *testing.T) {
	tests := []struct {
		about string
		c     Config
		want  []string
	}{
		{"a child that exits is reported with its words", Config{Serve: "exits"}, []string{"start exits: ", "ended before it was ready", "words before the exit"}},
		{"a child that panics is reported with its panic", Config{Serve: "panics"}, []string{"start panics: ", "panic: no server today"}},
		{"a server's error arrives as it is", Config{Serve: "fails"}, []string{"start fails: the port is taken; it printed nothing"}},
		{"a start that hangs is given up", Config{Serve: "never starts", StartTimeout: 3 * time.Second}, []string{"not ready within 3s", "still thinking"}},
		{"something must be served", Config{}, []string{"Serve is empty"}},
		{"GOMAXPROCS cannot be negative", Config{Serve: "echo", Procs: -1}, []string{"Procs is -1"}},
	}
	for _, tt := range tests {
		t.Run(tt.about, func(t *testing.T) {
			_, err := Start(t.Context(), tt.c)
			for _, want := range tt.want {
				assert.ErrorContains(t, err, want)
			}
		})
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err := Start(ctx, Config{Serve: "never starts"})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestServersDoNotStartServers(t *testing.T) {
	t.Setenv(envServe, "echo")
	_, err := Start(t.Context(), Config{Serve: "echo"})
	assert.ErrorContains(t, err, "host.Serve", "a TestMain without Serve would start children for ever")
}

func TestDeathIsTold(t *testing.T) {
	h := launch(t, Config{Serve: "echo"})
	assert.Empty(t, ask(t, h, "die 7"))
	requireEnded(t, h)
	assert.ErrorContains(t, h.Err(), "the server of echo died: exit status 7; its last output:\nwords before the death")
	assert.Equal(t, h.Err(), h.Stop(), "it had died before it was asked to stop")
}

func TestExitWithoutBeingAskedIsADeath(t *testing.T) {
	h := launch(t, Config{Serve: "echo"})
	ask(t, h, "die 0")
	requireEnded(t, h)
	assert.ErrorContains(t, h.Stop(), "exit status 0")
}

func TestKill(t *testing.T) {
	h := launch(t, Config{Serve: "echo"})
	require.NoError(t, h.Pause())
	h.Kill()
	requireEnded(t, h)
	assert.ErrorContains(t, h.Err(), "signal: killed")
	assert.NoError(t, h.Stop(), "the death was asked for")
	h.Kill()
}

func TestOutputIsKept(t *testing.T) {
	h := launch(t, Config{Serve: "talks"})
	ask(t, h, "die 1")
	requireEnded(t, h)
	assert.ErrorContains(t, h.Err(), "the last line\nwords before the death")
	assert.Less(t, len(h.Err().Error()), tail.Most+1000, "only the last of it")
}

func TestServerThatDoesNotClose(t *testing.T) {
	h := launch(t, Config{Serve: "hangs at the close"})
	begin := time.Now()
	assert.NoError(t, h.Stop())
	assert.GreaterOrEqual(t, time.Since(begin), closeTimeout)
	assert.Contains(t, h.output.String(), "the server did not close within 2s")
}

func TestLifelinesAreApart(t *testing.T) {
	type result struct {
		h   *Host
		err error
	}
	both := make(chan result, 2)
	for range cap(both) {
		go func() {
			h, err := Start(t.Context(), Config{Serve: "echo"})
			both <- result{h, err}
		}()
	}
	a, b := <-both, <-both
	require.NoError(t, a.err)
	defer a.h.Kill()
	require.NoError(t, b.err)
	defer b.h.Kill()

	require.NoError(t, a.h.lifeline.Close())
	requireEnded(t, a.h)
	assert.Equal(t, "hello", ask(t, b.h, "hello"))
	assert.NoError(t, b.h.Stop())
}

func TestPauseResume(t *testing.T) {
	h := launch(t, Config{Serve: "echo", ControlTimeout: 2 * time.Second})
	require.NoError(t, h.Pause())
	begin := time.Now()
	_, err := h.Figures(t.Context())
	assert.ErrorContains(t, err, "no answer within 2s")
	assert.Less(t, time.Since(begin), patience)

	require.NoError(t, h.Resume())
	assert.Equal(t, "hello", ask(t, h, "hello"))
	_, err = h.Figures(t.Context())
	assert.NoError(t, err)

	require.NoError(t, h.Pause())
	assert.NoError(t, h.Stop(), "a paused child is resumed to stop in order")
	assert.ErrorContains(t, h.Pause(), "pause echo: ", "nobody is there to pause")
	assert.ErrorContains(t, h.Resume(), "resume echo: ")
}

func TestFiguresOfAnIdleChild(t *testing.T) {
	h := launch(t, Config{Serve: "echo"})
	require.Positive(t, h.cost.Allocs, "a reading costs something")
	const readings = 50
	before := exact(t, h)
	for range readings - 1 {
		exact(t, h)
	}
	idle := exact(t, h).Since(before)
	assert.Less(t, idle.Allocs, int64(5*readings), "the readings' own cost is taken out; one costs %d", h.cost.Allocs)
	assert.Positive(t, idle.RSS+idle.PeakRSS)
}

func exact(t *testing.T, h *Host) Figures {
	t.Helper()
	f, err := h.Figures(t.Context())
	require.NoError(t, err)
	return f
}

func TestFiguresCountAllocations(t *testing.T) {
	h := launch(t, Config{Serve: "echo"})
	ask(t, h, "warm up")

	const objects = 100_000
	before := exact(t, h)
	ask(t, h, fmt.Sprint("allocate ", objects))
	done := exact(t, h).Since(before)
	assert.InDelta(t, objects, done.Allocs, 300)
	assert.InDelta(t, objects*64, done.AllocBytes, 100_000)

	before, err := h.Figures(t.Context())
	require.NoError(t, err)
	ask(t, h, fmt.Sprint("allocate ", objects))
	after, err := h.Figures(t.Context())
	require.NoError(t, err)
	assert.InDelta(t, objects, after.Since(before).Allocs, objects/20, "these may lag")
}

func TestCPUGrowsWithWork(t *testing.T) {
	h := launch(t, Config{Serve: "echo"})
	before, err := h.CPU()
	require.NoError(t, err)
	figures := exact(t, h)
	ask(t, h, "burn 200")
	after, err := h.CPU()
	require.NoError(t, err)
	assert.GreaterOrEqual(t, after-before, 190*time.Millisecond)
	assert.Less(t, after-before, 5*time.Second)
	assert.GreaterOrEqual(t, exact(t, h).Since(figures).CPU, 190*time.Millisecond)
}

func TestPprof(t *testing.T) {
	h := launch(t, Config{Serve: "echo"})
	for _, profile := range []string{"profile?seconds=1", "heap", "goroutine"} {
		answer, err := http.Get(h.PprofURL() + profile)
		require.NoError(t, err, profile)
		b, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		require.NoError(t, err, profile)
		assert.True(t, bytes.HasPrefix(b, []byte{0x1f, 0x8b}), "%s is compressed, as pprof reads it", profile)
	}
	assert.Equal(t, http.StatusNotFound, status(t, h.PprofURL()+"no-such", nil))
}

func TestSince(t *testing.T) {
	before := Figures{Allocs: 10, AllocBytes: 100, RSS: 5, PeakRSS: 6, CPU: time.Second}
	after := Figures{Allocs: 13, AllocBytes: 90, RSS: 7, PeakRSS: 8, CPU: 3 * time.Second}
	assert.Equal(t, Figures{Allocs: 3, RSS: 7, PeakRSS: 8, CPU: 2 * time.Second}, after.Since(before))
}

func TestChildEnv(t *testing.T) {
	parent := []string{"HOME=/root", envServe + "=other", envArg + "=of the other", "RPCBENCH_PINNED=1", "GOMAXPROCS=2", "GOGC=50"}
	tests := []struct {
		about string
		c     Config
		want  []string
	}{
		{"other children's marks and the parent's GOMAXPROCS stay behind", Config{Serve: "x"}, []string{"HOME=/root", "GOGC=50", envServe + "=x"}},
		{"Arg is a variable of its own", Config{Serve: "x", Arg: "a=b"}, []string{"HOME=/root", "GOGC=50", envServe + "=x", envArg + "=a=b"}},
		{"Procs is GOMAXPROCS", Config{Serve: "x", Procs: 4}, []string{"HOME=/root", "GOGC=50", envServe + "=x", "GOMAXPROCS=4"}},
	}
	for _, tt := range tests {
		t.Run(tt.about, func(t *testing.T) { assert.Equal(t, tt.want, childEnv(parent, tt.c)) })
	}
}

func TestAServerComesBackWhereItWas(t *testing.T) {
	port, err := ports.Free()
	require.NoError(t, err)
	first := launch(t, Config{Serve: "echo", Port: port})
	_, err = Start(t.Context(), Config{Serve: "echo", Port: port})
	assert.ErrorContains(t, err, "address already in use", "the first one is there")
	first.Kill()
	notBefore := time.Now().Add(time.Second)
	second := launch(t, Config{Serve: "echo", Port: port, NotBefore: notBefore})
	assert.Equal(t, first.Addr(), second.Addr())
	assert.Equal(t, "hello", ask(t, second, "hello"))
	assert.False(t, second.Ready().Up.Before(notBefore.Round(0)))
	_, err = Start(t.Context(), Config{Serve: "echo", Port: port, Addrs: 2})
	assert.ErrorContains(t, err, "one port is one address")
}
