package main

import (
	"bytes"
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
			r := start(t, dir, "-n=3", "f=good", "g="+binary)
			n := pid(t, dir)
			for !strings.Contains(content(t, dir, "g"), "BenchmarkA") { // until the result is kept
				time.Sleep(time.Millisecond)
			}
			r.signal(t, syscall.SIGKILL, false)
			r.end()
			for end := time.Now().Add(20 * time.Second); lives(n); time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("it is still there after 20 seconds")
				}
			}
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
	r := running{benchrounds(t, dir, "-n=3", "f=good", "g=slow"), &bytes.Buffer{}, &bytes.Buffer{}}
	r.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, r.Args...)
	r.Path = "/bin/sh"
	r.start(t)
	pid(t, dir)
	r.signal(t, syscall.SIGHUP, false)
	time.Sleep(200 * time.Millisecond)
	equal(t, "benchrounds lives", lives(r.Process.Pid), true)
	r.signal(t, syscall.SIGTERM, false)
	r.end()
	equal(t, "the exit code", r.ProcessState.ExitCode(), 130)
}

// What cannot be written ends the run, and is told.
func TestAFullDisk(t *testing.T) {
	dir := room(t)
	if err := os.Symlink("/dev/full", filepath.Join(dir, "full")); err != nil { // which may be renamed
		t.Fatal(err)
	}
	stderr, code := do(t, dir, "-n=3", "f=good", "full=also")
	equal(t, "the exit code", code, 1)
	if !strings.HasSuffix(stderr, "benchrounds: full cannot be written, so that the run ends: no space left on device\n") || strings.Contains(stderr, "round 1/3 done") {
		t.Error(stderr)
	}
	equal(t, "the other file", content(t, dir, "f"), linesOf("good", "A", "B"))
	stderr, code = do(t, dir, "-n=3", "full=good")
	equal(t, "the exit code without any result", code, 1)
	equal(t, "the last words", strings.HasSuffix(stderr, "full cannot be written, so that the run ends: no space left on device\n"), true)
}

// A file ends with a whole line when the disk is full, and what was kept is shown.
func TestAFileThatBecomesTooLarge(t *testing.T) {
	dir := room(t)
	r := running{benchrounds(t, dir, "-n=9", "-then=tail -n 1", "f=good"), &bytes.Buffer{}, &bytes.Buffer{}}
	r.Args = append([]string{"sh", "-c", `ulimit -f 1; exec "$0" "$@"`}, r.Args...)
	r.Path = "/bin/sh"
	r.start(t)
	contains(t, r.end(), "benchrounds: f cannot be written, so that the run ends: file too large\n")
	equal(t, "the exit code", r.ProcessState.ExitCode(), 1)
	text := content(t, dir, "f")
	equal(t, "the file is the beginning", strings.HasPrefix(strings.Repeat(linesOf("good", "A", "B"), 9), text), true)
	equal(t, "it ends with a line", strings.HasSuffix(text, "\n"), true)
	equal(t, "the last line is shown", r.out.String() != "" && strings.HasSuffix(text, r.out.String()), true)
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
