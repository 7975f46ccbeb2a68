package suite

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/recordtest"
)

// openTerminal opens both ends of a pseudo terminal. What is written to far is
// collected until it is closed.
func openTerminal(t *testing.T) (far *os.File, seen func() string) {
	near, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { near.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(near.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(near.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	far, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	text, done := bytes.Buffer{}, make(chan struct{})
	go func() {
		defer close(done)
		text.ReadFrom(near) // ends with an error when the last far end is closed
	}()
	return far, func() string {
		far.Close()
		<-done
		return strings.ReplaceAll(text.String(), "\r\n", "\n")
	}
}

// where the outputs of a process go, by its terminal and a file.
type outputs func(cmd *exec.Cmd, far, file *os.File)

func TestProgressSplitsNoLine(t *testing.T) {
	t.Parallel()
	const estimate = "# 2 cases, about "
	for _, c := range []struct {
		about      string
		to         outputs
		onTerminal []string
		inFile     []string
	}{
		{"both to the terminal: no more than the estimate in the first 30 s", func(cmd *exec.Cmd, far, _ *os.File) {
			cmd.Stdout, cmd.Stderr = far, far
		}, []string{estimate}, nil},
		{"results to a file, stderr to the terminal: no more in the first 30 s either", func(cmd *exec.Cmd, far, file *os.File) {
			cmd.Stdout, cmd.Stderr = file, far
		}, []string{estimate}, nil},
		{"both to a file, as go test does: the file has the estimate", func(cmd *exec.Cmd, _, file *os.File) {
			cmd.Stdout, cmd.Stderr = file, file
		}, nil, []string{estimate}},
		{"both to programs, stderr apart: they tell progress", func(cmd *exec.Cmd, _, file *os.File) {
			cmd.Stdout, cmd.Stderr = file, new(bytes.Buffer)
		}, nil, nil},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			far, seen := openTerminal(t)
			file, err := os.Create(filepath.Join(t.TempDir(), "out"))
			require.NoError(t, err)
			cmd := exec.Command(os.Args[0], measuring("Echo", "-framework=tiny", "-conc=10", "-size=1B,2B", "-test.count=2")...)
			cmd.Stdin, cmd.SysProcAttr = far, &syscall.SysProcAttr{Setsid: true, Setctty: true}
			c.to(cmd, far, file)
			require.NoError(t, cmd.Run())
			text, err := os.ReadFile(file.Name())
			require.NoError(t, err)
			onTerminal, inFile := seen(), string(text)
			assert.Len(t, resultLines(onTerminal+inFile), 4)
			assertRemarks(t, onTerminal, c.onTerminal)
			assertRemarks(t, inFile, c.inFile)
		})
	}
}

// assertRemarks sees that an output has these remarks of progress, each a line of
// its own, and no more.
func assertRemarks(t *testing.T, out string, want []string) {
	t.Helper()
	var got []string
	for _, found := range regexp.MustCompile(`(?m)# (\d+ cases, about|\d+ of \d+ cases done,) `).FindAllString(out, -1) {
		assert.Contains(t, "\n"+out, "\n"+found)
		got = append(got, found)
	}
	assert.Equal(t, want, got, out)
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	heedsHangups(t)
	for _, c := range []struct {
		about  string
		signal syscall.Signal
		merged bool
	}{
		{"Ctrl-C", syscall.SIGINT, false},
		{"a termination", syscall.SIGTERM, false},
		{"the end of the terminal", syscall.SIGHUP, false},
		{"Ctrl-C where both outputs are one, as under go test", syscall.SIGINT, true},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			out, err := os.Create(filepath.Join(dir, "out"))
			require.NoError(t, err)
			var errOut bytes.Buffer
			// The second case would take 100 s.
			cmd := exec.Command(os.Args[0], measuring("Echo/framework=flaky|Rate/framework=tiny", "-size=1B", "-rate=10", "-pprof", "-results="+filepath.Join(dir, "records"))...)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
			cmd.Stdout, cmd.Stderr = out, &errOut
			if c.merged {
				cmd.Stderr = out
			}
			wait, err := process.Begin(cmd)
			require.NoError(t, err)
			defer cmd.Process.Kill()
			text := func() string { text, _ := os.ReadFile(out.Name()); return string(text) }
			require.Eventually(t, func() bool { return strings.Contains(text(), "/rate=10") }, time.Minute, 10*time.Millisecond)
			require.NoError(t, cmd.Process.Signal(c.signal))
			wait() //nolint:errcheck // the exit code is read below

			assert.Equal(t, 130, cmd.ProcessState.ExitCode())
			said := errOut.String()
			if c.merged {
				said = text()
				assert.Regexp(t, `(?m)^BenchmarkRate/.*/rate=10\s*\n# interrupted`, said, "the half line ends")
			}
			assert.Contains(t, said, "# interrupted in case 2 of 2, which has no result\n")
			assert.Contains(t, said, "# failed calls: BenchmarkEcho/framework=flaky/transport=tcp/codec=gob/size=1B/conc=100: ")
			assert.NotContains(t, said, "rate=10: ", "nothing of a case without a line")
			assert.Len(t, resultLines(text()), 1, text())
			assert.Len(t, recordtest.In(t, filepath.Join(dir, "records")), 1)
			servers := regexp.MustCompile(`http://([^/]*)/\w+/debug`).FindAllStringSubmatch(text(), -1)
			require.Len(t, servers, 2)
			assert.Eventually(t, func() bool { return !listens(servers[1][1]) }, 10*time.Second, 10*time.Millisecond, "the server is gone")
		})
	}
}

// An interrupt after the line of the last case takes nothing back of it.
func TestInterruptBetweenCases(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out, err := os.Create(filepath.Join(dir, "out"))
	require.NoError(t, err)
	cmd := exec.Command(os.Args[0], measuring("Echo/framework=flaky|Other", "-size=1B", "-results="+filepath.Join(dir, "records"))...)
	cmd.Env = append(os.Environ(), envLinger+"=1")
	cmd.Stdout, cmd.Stderr = out, out
	wait, err := process.Begin(cmd)
	require.NoError(t, err)
	defer cmd.Process.Kill()
	text := func() string { text, _ := os.ReadFile(out.Name()); return string(text) }
	require.Eventually(t, func() bool { return strings.Contains(text(), "lingers\n") }, time.Minute, 10*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	wait() //nolint:errcheck // the exit code is read below

	assert.Equal(t, 130, cmd.ProcessState.ExitCode())
	assert.Contains(t, text(), "lingers\n# interrupted after case 1 of 1\n")
	assert.Contains(t, text(), "# failed calls: BenchmarkEcho/framework=flaky/")
	assert.Len(t, resultLines(text()), 1, text())
	assert.Len(t, recordtest.In(t, filepath.Join(dir, "records")), 1)
}

func listens(addr string) bool {
	conn, err := net.Dial("tcp", addr)
	if err == nil {
		conn.Close()
	}
	return err == nil
}
