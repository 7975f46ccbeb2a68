package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A binary does not outlive a benchrounds that is killed, whatever it does with signals.
func TestKilled(t *testing.T) {
	for _, binary := range []string{"slow", "tidy", "deaf"} {
		t.Run(binary, func(t *testing.T) {
			dir := room(t)
			cmd := benchrounds(t, dir, "-n=3", "f=good", "g="+binary)
			startUntil(t, cmd, "case 3/")
			n := pid(t, dir)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			for end := time.Now().Add(20 * time.Second); lives(n); time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("it is still there after 20 seconds")
				}
			}
			equal(t, "the result is kept", strings.Contains(content(t, dir, "g"), "BenchmarkA/of="+binary+" \t"), true)
		})
	}
}

// lives reports whether a process has not ended; its parent may still have to wait
// for it.
func lives(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}

// A terminal that is closed does not end what nohup has started.
func TestNohup(t *testing.T) {
	dir := room(t)
	cmd := benchrounds(t, dir, "-n=3", "f=good", "g=slow")
	cmd.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, cmd.Args...)
	cmd.Path = "/bin/sh"
	startUntil(t, cmd, "case 3/")
	pid(t, dir)
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	equal(t, "benchrounds lives", lives(cmd.Process.Pid), true)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
	equal(t, "the exit code", cmd.ProcessState.ExitCode(), 130)
}

// What cannot be written ends the run, and is told.
func TestAFullDisk(t *testing.T) {
	dir := room(t)
	if err := os.Symlink("/dev/full", filepath.Join(dir, "full")); err != nil { // which may be renamed
		t.Fatal(err)
	}
	stderr, code := do(t, dir, "-n=3", "f=good", "full=also")
	equal(t, "the exit code", code, 1)
	if !strings.HasSuffix(stderr, "benchrounds: write full: no space left on device\n") || strings.Contains(stderr, "round 2/") {
		t.Error(stderr)
	}
	equal(t, "the other file", content(t, dir, "f"), linesOf("good", "A", "B"))
	stderr, code = do(t, dir, "-n=3", "full=good")
	equal(t, "the exit code without any result", code, 1)
	equal(t, "the last words", strings.HasSuffix(stderr, "benchrounds: write full: no space left on device\n"), true)
}

// What a binary says does not command the terminal.
func TestForeignText(t *testing.T) {
	dir := room(t)
	for _, binary := range []string{"loud", "rude"} {
		stderr, _ := do(t, dir, "-n=1", "f="+binary)
		if strings.ContainsAny(stderr, "\x1b\r") || !strings.Contains(stderr, `\x1b[2J`) {
			t.Errorf("%s: %q", binary, stderr)
		}
	}
}
