package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var planted = flag.Bool("planted", false, "measure whether a planted slowdown is found, 5 minutes")

// TestPlanted plants what raises ttrpc's server CPU time per call by 10 %, and
// sees that it is found and that nothing is found of raw TCP. Without -planted
// it only sees that the patch still applies.
func TestPlanted(t *testing.T) {
	patch, err := filepath.Abs("testdata/slower.patch")
	if err != nil {
		t.Fatal(err)
	}
	top := repository{dir: ".", env: os.Environ()}
	root := strings.TrimRight(top.git(t, "rev-parse", "--show-toplevel"), "\n")
	r := repository{dir: filepath.Join(t.TempDir(), "clone"), tmp: t.TempDir()}
	r.env = append(os.Environ(), "TMPDIR="+r.tmp)
	top.git(t, "clone", "--quiet", "--shared", root, r.dir)
	r.git(t, "apply", patch)
	if !*planted {
		return
	}
	cmd := r.command(t, ".", "-base=HEAD", "-pkg=./frameworks/ttrpc", "-dedicated", "--", "-test.benchtime=0.5s", "-conc=100", "-size=1KiB",
		"-test.bench=^BenchmarkEcho$/framework=(ttrpc|tcp)$/transport=(tcp|conn)$")
	cmd.Stderr = os.Stderr
	out, _ := cmd.Output()
	t.Logf("exit code %d\n%s", cmd.ProcessState.ExitCode(), out)
	r.checkClean(t)
	_, table, _ := strings.Cut(string(out), "\nttrpc")
	slow, other, found := strings.Cut(table, "\ntcp")
	if !found || !strings.Contains(slow, "  FAIL, slower\n") || cmd.ProcessState.ExitCode() != 1 {
		t.Error("the planted slowdown is not found")
	}
	if strings.Contains(other, "FAIL") {
		t.Error("something is found where nothing was planted")
	}
}
