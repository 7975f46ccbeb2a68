//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
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
			r := start(t, dir, "-n=3", "f=good", "g="+c.binary)
			binary := pid(t, dir)
			r.signal(t, c.signal, c.group)
			equal(t, "what it says", r.end(), "4 cases in 3 rounds: about 0:18\n"+interrupted)
			equal(t, "the exit code", r.ProcessState.ExitCode(), 130)
			equal(t, "the file of what was done", content(t, dir, "f"), linesOf("good", "A", "B"))
			equal(t, "the file of what was not", content(t, dir, "g"), linesOf(c.binary, "A")+c.end)
			equal(t, "the binary's process", syscall.Kill(binary, 0), error(syscall.ESRCH))
		})
	}
}

// interrupted are the last words.
const interrupted = "benchrounds: interrupted, 3 results kept; percentiles may rest on too few calls, since they count on all rounds\n"

// What was done is kept of several binaries of one file, too, and shown.
func TestInterruptBetweenBinariesOfOneFile(t *testing.T) {
	dir := room(t)
	r := start(t, dir, "-n=2", "-then=tail -n 1", "f=good", "f=slow", "f=also")
	pid(t, dir)
	r.signal(t, syscall.SIGINT, true)
	equal(t, "what it says", r.end(), "6 cases in 2 rounds: about 0:18\n"+interrupted)
	equal(t, "the exit code", r.ProcessState.ExitCode(), 130)
	equal(t, "the file", content(t, dir, "f"), linesOf("good", "A", "B")+linesOf("slow", "A"))
	equal(t, "what is shown", r.out.String(), "PASS\n")
}

// The first Ctrl-C ends the rounds, and the second what shows the results.
func TestASecondInterrupt(t *testing.T) {
	dir := room(t)
	shows := "#!/bin/sh\necho $$ >shown.new; mv shown.new shown; exec sleep 60\n"
	if err := os.WriteFile(filepath.Join(dir, "shows"), []byte(shows), 0o700); err != nil {
		t.Fatal(err)
	}
	r := start(t, dir, "-then=./shows", "f=good", "f=slow")
	pid(t, dir)
	r.signal(t, syscall.SIGINT, true)
	shown := number(t, dir, "shown")
	r.signal(t, syscall.SIGINT, true)
	r.end()
	equal(t, "the signal that ends it", r.ProcessState.Sys().(syscall.WaitStatus).Signal(), syscall.SIGINT)
	for syscall.Kill(shown, 0) == nil { // until it is gone
		time.Sleep(time.Millisecond)
	}
}

// running is a benchrounds that was started, as the leader of a process group.
type running struct {
	*exec.Cmd
	said, out *bytes.Buffer
}

func start(t *testing.T, dir string, args ...string) running {
	t.Helper()
	r := running{benchrounds(t, dir, args...), &bytes.Buffer{}, &bytes.Buffer{}}
	r.start(t)
	return r
}

func (r running) start(t *testing.T) {
	t.Helper()
	r.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	r.Stderr, r.Stdout = r.said, r.out
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-r.Process.Pid, syscall.SIGKILL) })
}

func (r running) signal(t *testing.T, s syscall.Signal, group bool) {
	t.Helper()
	to := r.Process.Pid
	if group {
		to = -to
	}
	if err := syscall.Kill(to, s); err != nil {
		t.Fatal(err)
	}
}

// end awaits its end and returns what it said.
func (r running) end() string {
	_ = r.Wait()
	return r.said.String()
}

// pid awaits the process of a binary that lingers.
func pid(t *testing.T, dir string) int { t.Helper(); return number(t, dir, "pid") }

// number awaits a file that has a number.
func number(t *testing.T, dir, file string) int {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if n, err := strconv.Atoi(strings.TrimSpace(content(t, dir, file))); err == nil {
			return n
		}
	}
	t.Fatal("no number in " + file)
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
