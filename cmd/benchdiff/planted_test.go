package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/internal/links"
)

var planted = flag.Bool("planted", false, "measure whether a small planted slowdown is found, 5 minutes")

// TestPlanted plants changes in one clone, one after the other, and sees that what each does is
// found, and nothing else. Without -planted, or with -short, it only sees that the patches of
// what takes long still apply.
// Slow: both sides of a comparison are linked, and measured in turns.
func TestPlanted(t *testing.T) {
	t.Parallel()
	var r repository
	for _, c := range []struct {
		about, patch string
		find         func(*testing.T, repository)
		minutes      bool
	}{
		{"what large payloads take", "testdata/large.patch", plantedSlowdown, false},
		{"what is counted", "testdata/counts.patch", plantedCounts, false},
		{"10 % of the CPU time of a server", "testdata/slower.patch", plantedTenth, true},
	} {
		t.Run(c.about, func(t *testing.T) {
			patch, err := filepath.Abs(c.patch)
			if err != nil {
				t.Fatal(err)
			}
			if testing.Short() || c.minutes && !*planted {
				here(t).git(t, "apply", "--check", patch)
				t.Skip("benchdiff builds both sides, and measures; one takes 5 minutes: make thorough/diff")
			}
			if r.dir == "" {
				r = cloned(t)
			}
			r.git(t, "reset", "--quiet", "--hard")
			r.git(t, "apply", patch)
			c.find(t, r)
		})
	}
}

// plantedSlowdown takes several times the CPU time of a call in the server of raw TCP, of large
// payloads alone. 20 turns of 20 calls tell no more, and may be disturbed by other tests.
func plantedSlowdown(t *testing.T, r repository) {
	slow, other := r.measured(t, "size=1KiB", "size=64B", "-pkg=./frameworks/tcp", "-rounds=2", "--",
		"-test.benchtime=200x", "-conc=1", "-size=64B,1KiB", "-test.bench=^BenchmarkEcho$/framework=tcp$/transport=conn$")
	if row := rowOf(slow, "server-cpu-ns/op"); !strings.HasSuffix(row, "  FAIL, slower") {
		t.Errorf("what was planted is not found: %s", row)
	}
	if row := rowOf(other, "server-cpu-ns/op"); row == "" || strings.Contains(row, "slower") {
		t.Errorf("it is found where nothing was planted: %s", row)
	}
}

// plantedCounts are an allocation and a write of the server of raw TCP, and 16 bytes each way.
func plantedCounts(t *testing.T, r repository) {
	rows, _ := r.measured(t, "Count", "none", "-counts=5", "-pkg=./frameworks/tcp", "--",
		"-test.benchtime=1x", "-size=1KiB", "-test.bench=^BenchmarkCount$/framework=tcp$/transport=conn$")
	contains(t, "what is counted", rows, "  server-allocs/op ")
	for _, unit := range []string{"server-allocs/op", "server-syscalls/op", "segs/op", "request-wire-B/op", "reply-wire-B/op"} {
		if row := rowOf(rows, unit); row != "" && !strings.HasSuffix(row, "  FAIL, more") { // not every system counts all
			t.Errorf("%s is not found: %s", unit, row)
		}
	}
	if row := rowOf(rows, "client-allocs/op"); strings.Contains(row, "FAIL") {
		t.Errorf("it is found where nothing was planted: %s", row)
	}
}

// plantedTenth raises ttrpc's server CPU time per call by 10 %, and does nothing to raw TCP.
func plantedTenth(t *testing.T, r repository) {
	slow, other := r.measured(t, "ttrpc", "tcp", "-pkg=./frameworks/ttrpc", "--", "-test.benchtime=0.5s", "-conc=100", "-size=1KiB", "-references=true",
		"-test.bench=^BenchmarkEcho$/framework=(ttrpc|tcp)$/transport=(tcp|conn)$")
	contains(t, "what was planted", slow, "  FAIL, slower\n")
	if other == "" || strings.Contains(other, "FAIL") {
		t.Errorf("something is found where nothing was planted:\n%s", other)
	}
}

// here is this repository. Git applies nothing above the directory in which it runs.
func here(t *testing.T) repository {
	t.Helper()
	r := repository{dir: ".", env: os.Environ()}
	r.dir = strings.TrimRight(r.git(t, "rev-parse", "--show-toplevel"), "\n")
	return r
}

// cloned is a clone of this repository. Without -trimpath go compiles all packages anew in each
// worktree, since they have other paths.
func cloned(t *testing.T) repository {
	t.Helper()
	top := here(t)
	dir, err := os.MkdirTemp(bin, "clone-") // of several subtests
	if err != nil {
		t.Fatal(err)
	}
	r := repository{dir: filepath.Join(dir, "clone"), tmp: dir}
	r.env = append(append(os.Environ(), "TMPDIR="+r.tmp, "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath"), links.Env(bin)...)
	top.git(t, "clone", "--quiet", "--shared", top.dir, r.dir)
	return r
}

// measured compares the files with their commit and returns the rows of two
// benchmarks, whose names begin with what is given. Something must fail.
func (r repository) measured(t *testing.T, first, second string, args ...string) (ofFirst, ofSecond string) {
	t.Helper()
	cmd := r.command(t, ".", append([]string{"-base=HEAD", "-dedicated"}, args...)...)
	var said strings.Builder
	cmd.Stderr = &said
	out, _ := cmd.Output()
	t.Logf("exit code %d\n%s", cmd.ProcessState.ExitCode(), out)
	r.checkClean(t)
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d, want 1: %s", code, said.String())
	}
	return rowsOf(string(out), first), rowsOf(string(out), second)
}

func rowOf(rows, unit string) string {
	_, row, _ := strings.Cut(rows, "  "+unit+" ")
	row, _, _ = strings.Cut(row, "\n")
	return row
}

// rowsOf are the indented lines behind the benchmark's.
func rowsOf(table, benchmark string) (rows string) {
	_, rest, _ := strings.Cut(table, "\n"+benchmark)
	_, rest, _ = strings.Cut(rest, "\n")
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "  ") {
			break
		}
		rows += line
	}
	return rows
}
