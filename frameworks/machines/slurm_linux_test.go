package machines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/recordtest"
)

// TestSlurm runs the scripts within a Slurm.
// Slow: jobs wait for the scheduler of Slurm.
func TestSlurm(t *testing.T) {
	if os.Getenv("RPCBENCH_SLURM") == "" {
		t.Skip("it takes a Slurm: make check/slurm")
	}
	binary, err := build(t.TempDir(), ".")
	require.NoError(t, err)
	t.Setenv("PATH", filepath.Dir(binary)+":"+os.Getenv("PATH"))
	t.Run("job", testJob)
	t.Run("outside", func(t *testing.T) { testOutside(t, binary) })
	t.Run("rounds", testRounds)
	t.Run("death", func(t *testing.T) { testDeath(t, binary) })
}

// four are frameworks with streams in two directions.
const four = "grpc,arpc,drpc,ttrpc"

// testJob has servers in one step, and 4 and 16 ranks in another. Rank 0 compares the due
// times of all with the schedule, and fails where they differ.
func testJob(t *testing.T) {
	for _, ranks := range []int{4, 16} {
		t.Run(fmt.Sprint(ranks), func(t *testing.T) {
			t.Setenv("RANKS", fmt.Sprint(ranks))
			dir := filepath.Join(t.TempDir(), "results")
			text, err := submit(t, "sbatch", "--wait", "job.sbatch", "-test.bench=^Benchmark(Echo|Message|Rate|Stream)$",
				"-set=recommended", "-framework="+four, "-size=1KiB", "-conc=32", "-conns=32", "-rate=2000",
				"-results="+dir, fmt.Sprintf("-test.benchtime=%dx", calls))
			require.NoError(t, err)
			assert.Contains(t, text, fmt.Sprintf("\nclients: %d\n", ranks))
			sums := recordtest.RequireSums(t, dir, ranks)
			assert.Len(t, sums, 4*5, "streams are called in two modes")
			for name, sum := range sums {
				assert.EqualValues(t, calls, sum.Result.OK, name)
				assert.Contains(t, text, name)
			}
		})
	}
}

// testRounds has two binaries measured by turns, by ranks that stay.
func testRounds(t *testing.T) {
	t.Setenv("PATH", imageOf(t)+":"+os.Getenv("PATH"))
	t.Setenv("FRAMEWORKS", "grpc tcp")
	t.Setenv("ROUNDS", "2")
	text, err := submit(t, "sbatch", "--wait", "job.sbatch", "-test.bench=^BenchmarkEcho$", "-set=recommended", "-references=false",
		"-size=1KiB", "-conc=4", "-conns=4", fmt.Sprintf("-test.benchtime=%dx", calls))
	require.NoError(t, err)
	assertRounds(t, text, 2)
}

// testOutside has the servers outside of Slurm, and the ranks on both nodes.
func testOutside(t *testing.T, binary string) {
	token := filepath.Join(t.TempDir(), "token")
	addr, _ := serve(t, binary, "-serve", "-listen=127.0.0.1:0", "-token-file="+token)
	args := append([]string{"-host=" + addr, "-token-file=" + token}, few(8)...)
	for _, way := range [][]string{
		{"srun", "-N2", "-n8", "rpcbench.test", "-test.run=^$"},
		{"sbatch", "--wait", "--array=0-3", "array.sbatch"},
	} {
		text, err := submit(t, append(way, args...)...)
		require.NoError(t, err)
		assertCounted(t, text)
	}
}

// dying is a benchmark whose rank 2 dies when Echo has been measured, in the midst of Rate.
const dying = `#!/bin/sh
[ "$SLURM_PROCID" = 2 ] || exec %[1]s "$@"
%[1]s "$@" &
until ls %[2]s/Echo*.json >/dev/null 2>&1; do sleep 0.1; done
kill -KILL $!
wait $!
`

// testDeath has a rank die. The job fails and says which it was.
func testDeath(t *testing.T, binary string) {
	path, results := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(path, "rpcbench.test"), fmt.Appendf(nil, dying, binary, results), 0o755))
	t.Setenv("PATH", path+":"+os.Getenv("PATH"))
	t.Setenv("RANKS", "4")
	text, err := submit(t, "sbatch", "--wait", "job.sbatch", "-test.bench=^Benchmark(Echo|Rate)$", "-set=recommended", "-framework=grpc",
		"-size=1KiB", "-conc=16", "-rate=20", "-gather=5s", "-results="+results, fmt.Sprintf("-test.benchtime=%dx", calls))
	assert.ErrorAs(t, err, new(*exec.ExitError))
	assert.Regexp(t, `rank 2 \(\S+, process \d+\) has ended, or its machine is cut off`, text)
	assert.NotRegexp(t, `BenchmarkRate/\S+\s+\d`, text, "a line of Rate")
}

// submit runs a job in a directory of its own, and returns what it printed.
func submit(t *testing.T, args ...string) (string, error) {
	dir := t.TempDir()
	for _, script := range []string{"job.sbatch", "array.sbatch"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, script), read(t, script), 0o644))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	text, err := cmd.CombinedOutput()
	outputs, _ := filepath.Glob(dir + "/slurm-*.out") // the pattern is right
	kept, _ := filepath.Glob(dir + "/lines-*.txt")
	for _, file := range append(outputs, kept...) {
		text = append(text, read(t, file)...)
	}
	t.Logf("%s\n%s", strings.Join(args, " "), text)
	return string(text), errors.Join(err, ctx.Err())
}
