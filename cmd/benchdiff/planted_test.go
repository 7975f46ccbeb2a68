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

// TestPlantedSlowdown plants in the server of raw TCP what takes several times the CPU
// time of a call, of large payloads alone, and sees that it is found, and not of small
// ones. 20 turns of 20 calls tell no more, and may be disturbed by other tests.
// Slow: both sides of a comparison are linked, and measured in turns.
func TestPlantedSlowdown(t *testing.T) {
	if testing.Short() {
		t.Skip("benchdiff builds both sides and measures for half a minute")
	}
	r := planting(t, "testdata/large.patch")
	slow, other := r.measured(t, "size=1KiB", "size=64B", "-pkg=./frameworks/tcp", "-rounds=2", "--",
		"-test.benchtime=200x", "-conc=1", "-size=64B,1KiB", "-test.bench=^BenchmarkEcho$/framework=tcp$/transport=conn$")
	if row := rowOf(slow, "server-cpu-ns/op"); !strings.HasSuffix(row, "  FAIL, slower") {
		t.Errorf("what was planted is not found: %s", row)
	}
	if row := rowOf(other, "server-cpu-ns/op"); row == "" || strings.Contains(row, "slower") {
		t.Errorf("it is found where nothing was planted: %s", row)
	}
}

// TestPlantedCounts plants in raw TCP an allocation and a write of the server, and 16
// bytes each way, and sees that they are found.
// Slow: both sides of a comparison are linked, and measured in turns.
func TestPlantedCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("benchdiff builds both sides")
	}
	r := planting(t, "testdata/counts.patch")
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

// TestPlanted plants what raises ttrpc's server CPU time per call by 10 %, and
// sees that it is found and that nothing is found of raw TCP. Without -planted
// it only sees that the patch still applies.
func TestPlanted(t *testing.T) {
	r := planting(t, "testdata/slower.patch")
	if !*planted {
		t.Skip("it takes 5 minutes: make thorough/diff")
	}
	slow, other := r.measured(t, "ttrpc", "tcp", "-pkg=./frameworks/ttrpc", "--", "-test.benchtime=0.5s", "-conc=100", "-size=1KiB", "-references=true",
		"-test.bench=^BenchmarkEcho$/framework=(ttrpc|tcp)$/transport=(tcp|conn)$")
	contains(t, "what was planted", slow, "  FAIL, slower\n")
	if other == "" || strings.Contains(other, "FAIL") {
		t.Errorf("something is found where nothing was planted:\n%s", other)
	}
}

// planting is a clone of this repository, whose files have a patch in them. Without
// -trimpath go compiles all packages anew in each worktree, since they have other paths.
func planting(t *testing.T, patch string) repository {
	t.Helper()
	patch, err := filepath.Abs(patch)
	if err != nil {
		t.Fatal(err)
	}
	top := repository{dir: ".", env: os.Environ()}
	root := strings.TrimRight(top.git(t, "rev-parse", "--show-toplevel"), "\n")
	r := repository{dir: filepath.Join(t.TempDir(), "clone"), tmp: t.TempDir()}
	r.env = append(append(os.Environ(), "TMPDIR="+r.tmp, "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath"), links.Env(bin)...)
	top.git(t, "clone", "--quiet", "--shared", root, r.dir)
	r.git(t, "apply", patch)
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
