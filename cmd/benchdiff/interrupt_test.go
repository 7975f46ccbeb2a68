//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/heard"
)

// stopping is a benchmark that is still running when it is interrupted: it waits
// once there are as many lines of base as the file waits says. It is run once before, to
// count the cases.
const stopping = `package p

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

func BenchmarkA(b *testing.B) {
	text, _ := os.ReadFile("` + baseFile + `")
	waits, _ := os.ReadFile("waits")
	lines, _ := strconv.Atoi(string(waits))
	if flag.Lookup("test.benchtime").Value.String() != "1x" && strings.Count(string(text), "\nBenchmarkA") >= lines {
		time.Sleep(time.Minute)
	}
	b.ReportMetric(1000, "p50-ns")
	b.ReportMetric(7, "calls/s")
	b.ReportMetric(0, "ns/op")
}
`

// waitForLines waits until a file has this number of result lines.
func waitForLines(t *testing.T, file string, n int) {
	t.Helper()
	for range 3000 {
		text, err := os.ReadFile(file)
		if err == nil && strings.Count(string(text), "\nBenchmarkA") >= n {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s has no %d lines after a minute", file, n)
}

// Slow: both sides of a comparison are linked, and measured in turns.
func TestInterrupt(t *testing.T) {
	heedsHangups(t)
	for _, c := range []struct {
		about      string
		signal     syscall.Signal
		group      bool // signal the process group, as a terminal does
		lines      int  // to wait for in the results; -1 is to interrupt the build
		say, print string
	}{
		{"Ctrl-C while it builds", syscall.SIGINT, true, -1, "benchdiff: interrupted\n", ""},
		{"a termination of benchdiff alone before a result", syscall.SIGTERM, false, 0, "benchdiff: interrupted\n", ""},
		{"a terminal that is closed before a result", syscall.SIGHUP, true, 0, "benchdiff: interrupted\n", ""},
		{"a hang-up of benchdiff alone, too early to compare", syscall.SIGHUP, false, 2, "benchdiff: 1 turns are too few to compare, it takes 11; the lines are in bench-base.txt", ""},
		{"Ctrl-C when there is something to compare", syscall.SIGINT, true, 13, "benchdiff: interrupted\n", "Interrupted after 12 turns. No difference of 5 % or more in 1 benchmark; nothing fails.\n\nhead against HEAD, 12 pairs\n"},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := newRepository(t, map[string]string{"go.mod": simple, "p_test.go": stopping, "waits": strconv.Itoa(c.lines)})
			if c.lines < 0 {
				r.env = append(r.env, realGo())
			}
			var out strings.Builder
			cmd, stderr := r.begin(t, &out)
			text := heard.Until(t, stderr, "building head")
			rest := make(chan string)
			go func() {
				b, _ := io.ReadAll(stderr)
				rest <- string(b)
			}()
			if c.lines >= 0 {
				waitForLines(t, filepath.Join(r.dir, baseFile), c.lines)
			}
			to := cmd.Process.Pid
			if c.group {
				to = -to
			}
			if err := syscall.Kill(to, c.signal); err != nil {
				t.Fatal(err)
			}
			late := time.AfterFunc(2*time.Minute, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
			text += <-rest
			late.Stop()
			_ = cmd.Wait()
			contains(t, "what it says", text, c.say, "benchdiff: interrupted\n")
			contains(t, "the output", out.String(), c.print)
			if c.print == "" && out.String() != "" {
				t.Errorf("it prints %q", out.String())
			}
			if code := cmd.ProcessState.ExitCode(); code != 130 {
				t.Errorf("exit code %d, want 130", code)
			}
			r.checkClean(t)
		})
	}
}

// begin begins a comparison that does not end by itself, as the leader of a process group.
func (r repository) begin(t *testing.T, stdout io.Writer) (cmd *exec.Cmd, stderr io.Reader) {
	t.Helper()
	cmd = r.command(t, ".", "-base=HEAD", "-rounds=1000", "--", "-test.bench=.", "-test.benchtime=20x")
	cmd.SysProcAttr, cmd.Stdout = &syscall.SysProcAttr{Setpgid: true}, stdout
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	return cmd, stderr
}

// heedsHangups has SIGHUP end what the test starts, also if the tests run under
// nohup: a process inherits what is ignored, and not what is handled.
func heedsHangups(t *testing.T) {
	t.Helper()
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(c) })
}
