package suite

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// needsLines skips a test on a machine that can have no lines.
func needsLines(t *testing.T) {
	t.Helper()
	_, errOut, code := self(t, measuring("Echo", "-framework=tiny", "-size=1B", "-net=delay-1ms", "-cases")...)
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
// that failed in its line. Cases over the same line have none. A run has a minute, and the
// watchdog more; it is needed where other processes call, who are not told of the line.
func TestTornLine(t *testing.T) {
	t.Parallel()
	needsLines(t)
	for _, c := range []struct {
		about string
		args  []string
	}{
		{"a closed loop, and a case after it", measuring("Echo", "-framework=tiny", "-size=1B,2B", "-conc=10", "-watchdog=3m", "-test.benchtime=1000000x")},
		{"an open loop", measuring("Rate", "-framework=tiny", "-size=1B", "-rate=1000", "-watchdog=3m", "-test.benchtime=100000x")},
		{"callers in other processes", measuring("Echo", "-framework=tiny", "-size=1B", "-conc=10", "-clients=2", "-watchdog=3s", "-test.benchtime=1000000x")},
		{"messages on streams", measuring("Stream", "-framework=spend", "-size=1B", "-conc=10", "-watchdog=3m", "-test.benchtime=1000000x")},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			r := startRun(t, append(c.args, "-net=delay-1ms"))
			measuring := func() bool { return strings.Contains(r.text(), "/net=delay-1ms") }
			require.Eventually(t, measuring, time.Minute, 10*time.Millisecond)
			time.Sleep(time.Second) // the first rounds are over
			carriers := r.carriers()
			require.Len(t, carriers, 1)
			require.NoError(t, syscall.Kill(carriers[0], syscall.SIGKILL))
			r.endsWell(false)
			assert.Equal(t, 1, r.cmd.ProcessState.ExitCode())
			lines := resultLines(r.text())
			require.Len(t, lines, 1, r.text())
			assert.Positive(t, tester.Value(t, lines[0], "errors"))
			assert.Contains(t, r.text(), "carries no more: signal: killed")
		})
	}
}

// TestEndsOfRunsWithLines ends runs over a line in order, with failed calls, by Ctrl-C and
// by SIGKILL, at random moments. None may leave a process, a namespace or a device.
func TestEndsOfRunsWithLines(t *testing.T) {
	t.Parallel()
	unraced(t)
	if testing.Short() {
		t.Skip("it takes ten seconds")
	}
	needsLines(t)
	const line = "-net=delay-1ms_rate-100mbit"
	ways := []struct {
		about     string
		framework string
		signal    syscall.Signal // 0: none
		code      int            // of a run without a signal
	}{
		{"success", "tiny", 0, 0},
		{"failure", "flaky", 0, 1},
		{"Ctrl-C", "tiny", syscall.SIGINT, 0},
		{"SIGKILL", "tiny", syscall.SIGKILL, 0},
	}
	random := rand.New(rand.NewPCG(3, 4))
	for i := range *ends / 2 { // each takes longer than one without a line
		way, after := ways[i%len(ways)], time.Duration(random.Int64N(int64(4*time.Second)))
		t.Run(fmt.Sprintf("%d: %s", i, way.about), func(t *testing.T) {
			t.Parallel()
			r := startRun(t, append(measuring("Echo", "-framework="+way.framework, "-size=1B", "-conc=10"), line))
			seen := r.namespaces(after, way.signal == 0)
			if way.signal != 0 {
				r.cmd.Process.Signal(way.signal) // fails if the run has ended
			}
			r.endsWell(way.signal == syscall.SIGKILL)
			if way.signal == 0 {
				assert.Equal(t, way.code, r.cmd.ProcessState.ExitCode(), r.text())
				assert.GreaterOrEqual(t, len(seen), 2, "the client's and the servers'")
			}
			for _, one := range seen {
				left := func() []string { return append(holdersOf(t, one), devicesOf(t, one)...) }
				gone := func() bool { return len(left()) == 0 } // a moment after the process has
				assert.Eventually(t, gone, tester.Enough, 10*time.Millisecond, "%v: a namespace or a device is left", left())
			}
		})
	}
}

// namespaces are the network namespaces that the processes of a run have for a while, or
// until it has ended, without that of this process. As they are open here, the kernel gives
// none of their numbers to another one.
func (r *signalled) namespaces(while time.Duration, wholly bool) (list []*os.File) {
	known := map[string]bool{numberOf(r.T, "/proc/self/ns/net"): true}
	for end := time.Now().Add(while); wholly || time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		for _, pid := range r.processes() {
			f, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", pid))
			if err != nil {
				continue // it has ended
			}
			if number := numberOf(r.T, fmt.Sprintf("/proc/self/fd/%d", f.Fd())); known[number] {
				f.Close()
			} else {
				known[number], list = true, append(list, f)
				r.Cleanup(func() { f.Close() })
			}
		}
		select {
		case <-r.ended:
			return list
		default:
		}
	}
	return list
}

// numberOf is the number of the namespace that a file is.
func numberOf(t *testing.T, file string) string {
	number, err := os.Readlink(file)
	require.NoError(t, err)
	return number
}

// holdersOf are the other processes that keep a namespace, by being there or by an open
// file.
func holdersOf(t *testing.T, namespace *os.File) (list []string) {
	number := numberOf(t, fmt.Sprintf("/proc/self/fd/%d", namespace.Fd()))
	for _, pattern := range []string{"/proc/[0-9]*/task/*/ns/net", "/proc/[0-9]*/fd/*"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			at, err := os.Readlink(file)
			if err == nil && at == number && !strings.HasPrefix(file, fmt.Sprintf("/proc/%d/", os.Getpid())) {
				list = append(list, file)
			}
		}
	}
	return list
}

// devicesOf are the network devices of a namespace but its loopback interface. The thread
// that enters it ends with its goroutine. Who is not root may not look into it.
func devicesOf(t *testing.T, namespace *os.File) (names []string) {
	entered := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := unix.Setns(int(namespace.Fd()), unix.CLONE_NEWNET)
		if err == nil {
			var all []net.Interface
			all, err = net.Interfaces()
			for _, one := range all {
				if one.Flags&net.FlagLoopback == 0 {
					names = append(names, one.Name)
				}
			}
		}
		entered <- err
	}()
	if err := <-entered; !errors.Is(err, unix.EPERM) {
		require.NoError(t, err)
	}
	return names
}
