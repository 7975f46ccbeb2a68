package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/heard"
)

// gone awaits the end of a process; one that nobody has waited for counts.
func gone(t *testing.T, what string, pid int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if _, state, _ := strings.Cut(string(stat), ") "); err != nil || strings.HasPrefix(state, "Z") {
			return
		}
	}
	t.Errorf("%s is still there after 20 seconds", what)
}

// A benchdiff that is killed takes its processes with it, at once, and the next one
// removes what it has left.
// Slow: both sides of a comparison are linked, and measured in turns.
func TestKilled(t *testing.T) {
	for _, c := range []struct{ about, until string }{
		{"while it builds", "building HEAD"},
		{"while it builds head", "building head"},
		{"while it measures", " in 1000 rounds"},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := newRepository(t, map[string]string{"go.mod": simple, "p_test.go": telling(stopping), "waits": "1"})
			if strings.HasPrefix(c.until, "building") {
				r.env = append(r.env, realGo())
			}
			cmd, stderr := r.begin(t, nil)
			heard.Until(t, stderr, c.until)
			binary, parent := 0, 0
			for end := time.Now().Add(20 * time.Second); !strings.HasPrefix(c.until, "building") && binary == 0; {
				if time.Now().After(end) {
					t.Fatal("the binary has not written its pid in 20 seconds")
				}
				text, err := os.ReadFile(filepath.Join(r.dir, "pids"))
				if _, e := fmt.Sscan(string(text), &binary, &parent); e != nil || err != nil {
					time.Sleep(10 * time.Millisecond)
				}
			}
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			if binary > 0 {
				gone(t, "the binary", binary)
				gone(t, "benchrounds", parent)
			}
			if left, _ := filepath.Glob(filepath.Join(r.tmp, "benchdiff-*")); len(left) != 1 {
				t.Errorf("a killed one removes nothing, and %v is there", left)
			}
			r.run(t, ".", "-base=nosuch") // and is clean
		})
	}
}

// telling writes the numbers of the process that waits, and of its parent.
func telling(code string) string {
	return strings.NewReplacer("\t\"flag\"\n", "\t\"flag\"\n\t\"fmt\"\n",
		"\t\ttime.Sleep(", "\t\t_ = os.WriteFile(\"pids\", fmt.Appendln(nil, os.Getpid(), os.Getppid()), 0o600)\n\t\ttime.Sleep(").Replace(code)
}

// What other processes have in the directory for temporary files stays there.
func TestOthersAreNotRemoved(t *testing.T) {
	r := newRepository(t, map[string]string{"go.mod": simple, "p_test.go": benchmark(1000)})
	for _, name := range []string{"benchdiff-new", "benchdiff-alive", "benchdiff-dead", "benchdiff-pipe"} {
		if err := os.Mkdir(filepath.Join(r.tmp, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	alive, err := os.Create(filepath.Join(r.tmp, "benchdiff-alive", "repository"))
	if err != nil || syscall.Flock(int(alive.Fd()), syscall.LOCK_EX) != nil {
		t.Fatal("it cannot be locked: ", err)
	}
	defer alive.Close()
	err = os.WriteFile(filepath.Join(r.tmp, "benchdiff-dead", "repository"), []byte(filepath.Join(r.dir, ".git")), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err = syscall.Mkfifo(filepath.Join(r.tmp, "benchdiff-pipe", "repository"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := r.command(t, ".", "-base=nosuch")
	out, _ := cmd.CombinedOutput()
	contains(t, "what it says", string(out), "nosuch cannot be checked out")
	for name, stays := range map[string]bool{"benchdiff-new": true, "benchdiff-alive": true, "benchdiff-dead": false, "benchdiff-pipe": true} {
		if _, err := os.Stat(filepath.Join(r.tmp, name)); (err == nil) != stays {
			t.Errorf("%s: %v, stays: %t", name, err, stays)
		}
	}
}

// A table that nobody gets is not a success.
func TestLostOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	read, closed, err2 := os.Pipe()
	if err := errors.Join(err, err2, read.Close()); err != nil {
		t.Fatal(err)
	}
	for about, c := range map[string]struct {
		out *os.File
		all string // where the file of all rows is
		say string
	}{
		"a full disk":              {full, "all.md", "benchdiff: write /dev/stdout: no space left on device\n"},
		"one for the rows alone":   {nil, "/dev/full", "benchdiff: write bench-diff.md: no space left on device\n"},
		"a pipe that nobody reads": {closed, "all.md", "benchdiff: write /dev/stdout: broken pipe\n"},
	} {
		t.Run(about, func(t *testing.T) {
			r := newRepository(t, map[string]string{"go.mod": simple, "p_test.go": benchmark(1000)})
			if err := os.Symlink(c.all, filepath.Join(r.dir, allFile)); err != nil {
				t.Fatal(err)
			}
			cmd := r.command(t, ".", "-base=HEAD", "-rounds=2", "--", "-test.bench=.", "-test.benchtime=1x")
			var said strings.Builder
			cmd.Stdout, cmd.Stderr = c.out, &said
			_ = cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != 1 {
				t.Errorf("exit code %d, want 1: %s", code, said.String())
			}
			contains(t, "what it says", said.String(), c.say)
			r.checkClean(t)
		})
	}
}
