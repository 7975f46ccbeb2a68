//go:build unix

package main

import (
	"io"
	"strings"
	"syscall"
	"testing"
)

// endless is a benchmark that is still running when it is interrupted; it is
// run once before, to count the cases.
const endless = `package p

import (
	"flag"
	"testing"
	"time"
)

func BenchmarkA(b *testing.B) {
	if flag.Lookup("test.benchtime").Value.String() != "1x" {
		time.Sleep(time.Minute)
	}
}
`

func TestInterruptLeavesNothing(t *testing.T) {
	r := newRepository(t, map[string]string{"go.mod": simple, "p_test.go": endless})
	for _, c := range []struct {
		about, word string
		group       bool // signal the process group, as a terminal does
	}{
		{"Ctrl-C while it builds", "building head", true},
		{"an interrupt of benchdiff alone while it measures", "cases in 10 rounds", false},
		{"Ctrl-C while it measures", "cases in 10 rounds", true},
	} {
		t.Run(c.about, func(t *testing.T) {
			cmd := r.command(t, ".", "-base=HEAD", "--", "-test.bench=.")
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			stderr, err := cmd.StderrPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			text := readUntil(t, stderr, c.word)
			to := cmd.Process.Pid
			if c.group {
				to = -to
			}
			if err := syscall.Kill(to, syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(stderr)
			_ = cmd.Wait()
			contains(t, "what it says", text+string(rest), "benchdiff: interrupted\n")
			if code := cmd.ProcessState.ExitCode(); code != 130 {
				t.Errorf("exit code %d, want 130", code)
			}
			r.checkClean(t)
		})
	}
}

func readUntil(t *testing.T, from io.Reader, word string) (text string) {
	t.Helper()
	buffer := make([]byte, 1000)
	for !strings.Contains(text, word) {
		n, err := from.Read(buffer)
		text += string(buffer[:n])
		if err != nil {
			t.Fatalf("%v without %q: %s", err, word, text)
		}
	}
	return text
}
