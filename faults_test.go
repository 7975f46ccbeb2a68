package rpcbench_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// TestFaults breaks the server of every framework in the middle of a run. The
// line is printed all the same, with the calls that succeeded before in calls/s
// and the others in errors, the run ends, and the exit code is 1.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	for _, fault := range []string{"kill", "freeze", "garbage"} {
		for _, framework := range breakable() {
			t.Run(fault+"/"+framework, func(t *testing.T) {
				t.Parallel() // they wait for the watchdog, which must outlast a busy machine
				endsWithItsLines(t, "-framework="+framework, "-fault="+fault)
			})
		}
	}
}

// endsWithItsLines runs the recommended variants in which a fault happens.
func endsWithItsLines(t *testing.T, fault ...string) {
	args := append([]string{
		"-test.run=^$", "-test.bench=^BenchmarkEcho$", "-test.benchtime=20000x", "-set=recommended",
		"-size=1KiB", "-conc=20", "-watchdog=5s",
	}, fault...)
	cases := strings.Fields(string(self(t, append(args, "-cases")...)))
	require.NotEmpty(t, cases)
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	var exit *exec.ExitError
	require.True(t, errors.As(err, &exit), "%v", err)
	assert.Equal(t, 1, exit.ExitCode(), "%s", &stderr)
	results, _ := readOutput(t, output)
	require.Len(t, results, len(cases), "%s%s", output, &stderr)
	for _, r := range results {
		failed, _ := r.Value("errors")
		goodput, _ := r.Value("calls/s")
		assert.Positive(t, failed, nameOf(r))
		assert.Positive(t, goodput, nameOf(r))
		assert.Contains(t, stderr.String(), "# failed calls: Benchmark"+nameOf(r))
	}
}

// breakable are the frameworks to test: all, but under the race detector those
// without races of their own when a server dies, see framework.Races.
func breakable() (names []string) {
	for _, v := range frameworks {
		if v.Recommended && !slices.Contains(names, v.Framework) && !(raceDetector && v.Races != (framework.Races{})) {
			names = append(names, v.Framework)
		}
	}
	return names
}
