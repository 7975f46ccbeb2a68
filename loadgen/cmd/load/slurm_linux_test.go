package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/record"
)

const (
	ranks    = 4
	rate     = 1000
	duration = 2 * time.Second
	warmup   = time.Second
	perRank  = rate * int64(duration/time.Second) / ranks
)

// TestSlurm has four ranks on two nodes load a server at a quarter of the rate each. It
// starts them in three ways and counts their calls.
// Slow: jobs wait for the scheduler of Slurm.
func TestSlurm(t *testing.T) {
	if os.Getenv("RPCBENCH_SLURM") == "" {
		t.Skip("it takes a Slurm: make check/slurm")
	}
	dir := workplace(t)
	at := func(ahead time.Duration) string { return fmt.Sprint("-at=", time.Now().Add(ahead).Unix()) }
	for _, way := range []struct {
		name string
		args func() []string
	}{
		{"srun", func() []string {
			return []string{"srun", "-N2", "-n4", "load", at(20 * time.Second), "-results=results/srun"}
		}},
		{"job", func() []string {
			return []string{"sbatch", "--wait", "job.sbatch"}
		}},
		{"array", func() []string {
			return []string{"sbatch", "--wait", "--array=0-3", "array.sbatch", at(40 * time.Second)}
		}},
	} {
		t.Run(way.name, func(t *testing.T) {
			var served atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				served.Add(1)
				io.WriteString(w, "hello")
			}))
			defer server.Close()
			args := append(way.args(), server.URL, fmt.Sprint("-rate=", rate), fmt.Sprint("-for=", duration), fmt.Sprint("-warmup=", warmup))
			must(t, dir, args...)
			if want := rate * int64((warmup+duration)/time.Second); served.Load() != want {
				t.Errorf("the server got %d calls and not %d", served.Load(), want)
			}
			checkResults(t, dir)
		})
	}
}

// checkResults looks for the shares of all ranks, and merges them.
func checkResults(t *testing.T, dir string) {
	dirs, err := filepath.Glob(filepath.Join(dir, "results", "*"))
	if err != nil || len(dirs) != 1 {
		t.Fatalf("results are in %v and not in one directory", dirs)
	}
	defer os.RemoveAll(dirs[0])
	files, err := filepath.Glob(filepath.Join(dirs[0], "*"))
	if err != nil || len(files) != ranks {
		t.Fatalf("there are %d records and not %d: %v", len(files), ranks, files)
	}
	for _, file := range files {
		r, err := record.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if r.Result.OK != perRank || r.Result.Due != perRank {
			t.Errorf("%d of %d calls of rank %d were answered, and not %d", r.Result.OK, r.Result.Due, r.Rank, perRank)
		}
	}
	merged, err := exec.CommandContext(t.Context(), "go", "run", "github.com/rpcbench/rpcbench/loadgen/cmd/loadmerge", fmt.Sprintf("-require=calls=%d,errors=0", ranks*perRank), dirs[0]).CombinedOutput()
	if err != nil {
		t.Fatalf("loadmerge: %v\n%s", err, merged)
	}
	_, line, _ := bytes.Cut(merged, []byte("# run "))
	t.Logf("run %s", line)
	if want := fmt.Sprintf("BenchmarkHTTP/rate=%d\t%8d\t", rate, ranks*perRank); !bytes.Contains(merged, []byte(want)) {
		t.Errorf("no line begins with %q", want)
	}
}

// workplace is the directory of the jobs: it has the scripts, load and the results.
func workplace(t *testing.T) (dir string) {
	dir = t.TempDir()
	self, err := os.Executable()
	check(t, err)
	check(t, os.Symlink(self, filepath.Join(dir, "load")))
	for _, script := range []string{"job.sbatch", "array.sbatch"} {
		text, err := os.ReadFile(script)
		check(t, err)
		check(t, os.WriteFile(filepath.Join(dir, script), text, 0o644))
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return dir
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// must runs a job and prints its output. A job takes 15 s, and sbatch notices its end
// after another 15 s.
func must(t *testing.T, dir string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	out, err := cmd.CombinedOutput()
	t.Logf("%s\n%s", strings.Join(args, " "), out)
	logs, _ := filepath.Glob(dir + "/slurm-*.out")
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		t.Logf("%s\n%s", filepath.Base(log), text)
		os.Remove(log)
	}
	if err != nil {
		t.Fatalf("%s: %v", args[0], err)
	}
}
