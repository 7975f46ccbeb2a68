package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/proxy/fake"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// temporary returns a variable that has processes make their temporary files in a new
// directory, and a function that lists what is left of them.
func temporary(t *testing.T) (env string, left func() []string) {
	dir := t.TempDir()
	return "TMPDIR=" + dir, func() []string { return leftIn(dir) }
}

// leftIn lists the directories of runs in a directory for temporary files, and the processes
// that know one of them.
func leftIn(tmp string) (list []string) {
	const prefix = "rpcbench-"
	found, _ := filepath.Glob(filepath.Join(tmp, prefix+"*"))
	for _, path := range found {
		if info, err := os.Stat(path); err == nil && info.IsDir() { // a lock of the tests stays
			list = append(list, path)
		}
	}
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if text, _ := os.ReadFile(file); strings.Contains(string(text), filepath.Join(tmp, prefix)) {
			list = append(list, string(text))
		}
	}
	return list
}

// withFake returns a variable with which processes find a fake HAProxy.
func withFake(t *testing.T) (env string) {
	dir := t.TempDir()
	require.NoError(t, fake.Install(dir))
	return "PATH=" + dir + ":" + os.Getenv("PATH")
}

// Slow: every benchmark is run over a Unix socket.
func TestUnixSockets(t *testing.T) {
	unraced(t)
	t.Parallel()
	env, left := temporary(t)
	out, errOut, code := selfIn(t, []string{env}, measuring("Echo|Conn|Rate", "-framework=tiny,small", "-conc=10", "-conns=4", "-size=64B", "-rate=1000", "-conn=single", "-net=none,unix")...)
	require.Zero(t, code, errOut)
	over := map[bool]int{}
	for _, line := range resultLines(out) {
		over[strings.Contains(line, "/net=unix")]++
		assert.Contains(t, line, "\t         0 errors")
		if strings.Contains(line, "BenchmarkEcho") {
			assert.Regexp(t, `\s4\.000 conns`, line)
		}
	}
	assert.Equal(t, map[bool]int{true: 3, false: 6}, over, out)
	assert.Equal(t, 1, strings.Count(out, "# skipped: net=unix: framework=small/transport=tcp/codec=gob has no Unix sockets here\n"), out)
	assert.Empty(t, left())
}

// TestUnixSocketsCarryWhatCounts has the modes that need more than a call.
func TestUnixSocketsCarryWhatCounts(t *testing.T) {
	unraced(t)
	t.Parallel()
	for about, args := range map[string][]string{
		"several clients":     measuring("Echo", "-clients=2"),
		"a server that dies":  measuring("Echo", "-fault=kill"),
		"answers that change": measuring("Echo", "-fault=flip"),
		"a restart":           {"-test.run=^$", "-test.benchtime=1x", "-test.bench=Dial", "-down=none,10ms"},
		"handlers that work":  measuring("Workload"),
	} {
		t.Run(about, func(t *testing.T) {
			t.Parallel()
			env, left := temporary(t)
			out, errOut, _ := selfIn(t, []string{env}, append(args, "-framework=tiny", "-net=unix", "-conc=10", "-size=64B")...)
			require.NotEmpty(t, resultLines(out), out+errOut)
			assert.Empty(t, left())
		})
	}
}

func TestUnixSocketsThatCannotBeHad(t *testing.T) {
	t.Parallel()
	long := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	require.NoError(t, os.Mkdir(long, 0o700))
	for _, c := range []struct{ about, tmp, say string }{
		{"no directory for temporary files", "/nowhere", "no directory for temporary files: "},
		{"one with a long name", long, "is too long for the path of a socket: set TMPDIR to a shorter directory"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := selfIn(t, []string{"TMPDIR=" + c.tmp}, measuring("Echo", "-framework=tiny", "-size=64B", "-net=unix")...)
			assert.Equal(t, 2, code)
			assert.Contains(t, errOut, "nothing is left to measure: net=unix: ")
			assert.Contains(t, errOut, c.say)
			assert.Equal(t, 1, strings.Count(errOut, "\n"), "one sentence: %s", errOut)
			assert.Empty(t, resultLines(out))
		})
	}
}

func TestConformanceOverUnixSockets(t *testing.T) {
	t.Parallel()
	unraced(t)
	env, left := temporary(t)
	out, errOut, code := selfIn(t, []string{env}, "-test.run=^TestConformanceOf$", "-test.v", "-framework=tiny,small", "-net=unix")
	require.Zero(t, code, out+errOut)
	assert.Contains(t, out, "--- PASS: TestConformanceOf/framework=tiny/transport=tcp/codec=gob/net=unix/echo")
	assert.Contains(t, out, "--- SKIP: TestConformanceOf/framework=small/transport=tcp/codec=gob/net=unix")
	assert.Empty(t, left())
}

func TestProxies(t *testing.T) {
	t.Parallel()
	unraced(t)
	env, left := temporary(t)
	out, errOut, code := selfIn(t, []string{env, withFake(t)}, measuring("Echo|Conn|Rate", "-framework=tiny", "-conc=10", "-conns=4", "-size=64B", "-rate=1000", "-conn=single", "-clients=1", "-net=none,proxy-haproxy")...)
	require.Zero(t, code, errOut)
	for _, line := range resultLines(out) {
		_, over, _ := strings.Cut(line, "/net=")
		assert.Equal(t, over != "", strings.Contains(line, "net-cpu-ns/op"), line)
		assert.Equal(t, over != "", strings.Contains(line, "net-busy-%"), line)
		if strings.Contains(line, "BenchmarkEcho") {
			assert.Regexp(t, `\s4\.000 conns`, line)
		}
	}
	assert.Len(t, resultLines(out), 5)
	assert.Contains(t, out, "# net=proxy-haproxy: HAProxy version fake, which passes TCP on")
	assert.Contains(t, out, "# skipped: BenchmarkConn: net=proxy-haproxy: a proxy answers connections by itself\n")
	assert.Empty(t, left())
}

func TestClientProcessesOverANetwork(t *testing.T) {
	t.Parallel()
	env := withFake(t)
	for _, net := range []string{"rate-1gbit", "proxy-haproxy"} {
		t.Run(net, func(t *testing.T) {
			out, errOut, code := selfIn(t, []string{env}, measuring("Echo", "-framework=tiny", "-conc=10", "-conns=4", "-size=1KiB", "-clients=2", "-net="+net)...)
			if strings.Contains(errOut, "no network of its own: ") {
				t.Skip(errOut)
			}
			require.Zero(t, code, errOut)
			assertUnits(t, out, "calls/s", "server-cpu-ns/op", "server-B/op")
			assert.Regexp(t, `\s4\.000 conns`, resultLines(out)[0])
		})
	}
}

func TestProxiesThatCannotBeHad(t *testing.T) {
	unraced(t)
	t.Parallel()
	for net, install := range map[string]string{"proxy-nginx": "nginx and libnginx-mod-stream", "proxy-haproxy": "haproxy"} {
		out, errOut, code := selfIn(t, []string{"PATH="}, measuring("Echo", "-framework=tiny", "-size=64B", "-net=none,"+net)...)
		require.Zero(t, code, errOut)
		assert.Contains(t, out, "# skipped: net="+net+": there is no program "+strings.TrimPrefix(net, "proxy-")+": install "+install+"\n")
		assert.Len(t, resultLines(out), 1)
	}
}

// TestEndsBesides ends runs by signals. They leave no directory and no process.
func TestEndsBesides(t *testing.T) {
	t.Parallel()
	unraced(t)
	env := withFake(t)
	for _, net := range []string{"unix", "proxy-haproxy"} {
		for _, end := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
			t.Run(fmt.Sprint(net, " ", end), func(t *testing.T) {
				t.Parallel()
				r := startRunIn(t, []string{env}, measuring("Rate", "-framework=tiny", "-size=1B", "-rate=1000", "-net="+net, "-test.benchtime=20000x"))
				left := func() []string { return leftIn(filepath.Join(r.dir, "tmp")) }
				require.Eventually(t, func() bool { return strings.Contains(r.text(), "/rate=1000") }, time.Minute, time.Millisecond)
				require.NotEmpty(t, left())
				require.NoError(t, r.cmd.Process.Signal(end))
				r.endsWell(end == syscall.SIGKILL)
				assert.Eventually(t, func() bool { return len(left()) == 0 }, tester.Enough, 5*time.Millisecond)
			})
		}
	}
}
