//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestInterrupt(t *testing.T) {
	heedsHangups(t)
	for _, c := range []struct {
		name   string
		binary string
		signal syscall.Signal
		group  bool   // signal the process group, as a terminal does
		end    string // of the binary's file
	}{
		{"Ctrl-C goes to benchrounds and the binary", "slow", syscall.SIGINT, true, ""},
		{"an interrupt goes to benchrounds alone", "slow", syscall.SIGINT, false, ""},
		{"a termination is an interrupt", "slow", syscall.SIGTERM, false, ""},
		{"so is a terminal that is closed, for benchrounds and the binary", "slow", syscall.SIGHUP, true, ""},
		{"or for benchrounds alone", "tidy", syscall.SIGHUP, false, "BenchmarkB \ttidied up\n"},
		{"a binary may tidy up", "tidy", syscall.SIGINT, false, "BenchmarkB \ttidied up\n"},
		{"a binary that does not listen is killed", "deaf", syscall.SIGINT, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := room(t)
			cmd := benchrounds(t, dir, "-n=3", "f=good", "g="+c.binary)
			rest := startUntil(t, cmd, "case 3/")
			binary := pid(t, dir)
			to := cmd.Process.Pid
			if c.group {
				to = -to
			}
			if err := syscall.Kill(to, c.signal); err != nil {
				t.Fatal(err)
			}
			stderr, _ := io.ReadAll(rest)
			_ = cmd.Wait()
			equal(t, "the last words", string(stderr), "benchrounds: interrupted, 3 results kept; percentiles may rest on too few calls, since they count on all rounds\n")
			equal(t, "the exit code", cmd.ProcessState.ExitCode(), 130)
			equal(t, "the file of what was done", content(t, dir, "f"), linesOf("good", "A", "B"))
			equal(t, "the file of what was not", content(t, dir, "g"), linesOf(c.binary, "A")+c.end)
			equal(t, "the binary's process", syscall.Kill(binary, 0), error(syscall.ESRCH))
		})
	}
}

// What was done is kept of several binaries of one file, too.
func TestInterruptBetweenBinariesOfOneFile(t *testing.T) {
	dir := room(t)
	cmd := benchrounds(t, dir, "-n=2", "f=good", "f=slow", "f=also")
	rest := startUntil(t, cmd, "case 3/")
	pid(t, dir)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	stderr, _ := io.ReadAll(rest)
	_ = cmd.Wait()
	equal(t, "the last words", string(stderr), "benchrounds: interrupted, 3 results kept; percentiles may rest on too few calls, since they count on all rounds\n")
	equal(t, "the exit code", cmd.ProcessState.ExitCode(), 130)
	equal(t, "the file", content(t, dir, "f"), linesOf("good", "A", "B")+linesOf("slow", "A"))
}

// startUntil starts cmd and returns when it has printed a line with word, with
// what is still to be read.
func startUntil(t *testing.T, cmd *exec.Cmd, word string) io.Reader {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
		t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	}
	lines := bufio.NewReader(stderr)
	for line := ""; !strings.Contains(line, word); {
		if err != nil {
			t.Fatal(err)
		}
		line, err = lines.ReadString('\n')
	}
	return lines
}

// pid awaits the process of a binary that lingers.
func pid(t *testing.T, dir string) int {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if n, err := strconv.Atoi(content(t, dir, "pid")); err == nil {
			return n
		}
	}
	t.Fatal("no binary lingers")
	return 0
}

// heedsHangups has SIGHUP end what the test starts, also if the tests run under
// nohup: a process inherits what is ignored, and not what is handled.
func heedsHangups(t *testing.T) {
	t.Helper()
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(c) })
}
