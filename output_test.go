package rpcbench_test

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
)

// measure are the flags of a short run over two suites.
var measure = []string{
	"-test.run=^$", "-test.bench=^BenchmarkEcho$/framework=(tcp|netrpc)|^BenchmarkMessage$/framework=tcp",
	"-test.benchtime=10000x", "-size=1KiB",
}

// TestOutputReadsWell reads what a run prints as benchstat does.
// Slow: a p99 needs ten thousand calls of each case.
func TestOutputReadsWell(t *testing.T) {
	t.Parallel()
	output, units := readOutput(t, self(t, measure...))
	var names []string
	for _, r := range output {
		names = append(names, "Benchmark"+nameOf(r))
		t.Run(nameOf(r), func(t *testing.T) {
			checkValues(t, r, units)
			for _, key := range []string{"go", "pin", "client-procs", "server-procs", "goexperiment", "grpc"} {
				assert.NotEmpty(t, r.GetConfig(key), key)
			}
		})
	}
	cases := strings.Fields(string(self(t, append(measure, "-cases")...)))
	assert.NotEmpty(t, cases)
	assert.Equal(t, cases, names, "one result of each case, in their order")
}

// checkValues checks that a result has all units and nothing that benchstat
// trips over.
func checkValues(t *testing.T, r *benchfmt.Result, units benchfmt.UnitMetadataMap) {
	assert.Equal(t, 10_000, r.Iters)
	for _, unit := range []string{
		"sec/op", "calls/s", "p50-sec", "p99-sec", "errors", "conns", "client-cpu-sec/op", "server-cpu-sec/op",
		"B/op", "allocs/op", "server-B/op", "server-allocs/op",
	} {
		_, ok := r.Value(unit)
		assert.True(t, ok, unit)
	}
	errs, _ := r.Value("errors")
	assert.Zero(t, errs)
	for _, v := range r.Values {
		assert.False(t, math.IsNaN(v.Value) || math.IsInf(v.Value, 0), "%s is %v", v.Unit, v.Value)
		assert.False(t, strings.HasSuffix(v.Unit, "ns") && v.Unit != "conns", "%s is not scaled to seconds", v.Unit)
		assert.True(t, units.GetBetter(v.Unit) != 0 || units.Get(v.Unit, "assume") != nil, "nothing is said about %s", v.Unit)
	}
}

// readOutput reads all results of a run, and what is said about the units.
func readOutput(t *testing.T, output []byte) (results []*benchfmt.Result, units benchfmt.UnitMetadataMap) {
	t.Helper()
	lines := benchfmt.NewReader(bytes.NewReader(output), "output")
	for lines.Scan() {
		switch record := lines.Result().(type) {
		case *benchfmt.Result:
			results = append(results, record.Clone())
		case *benchfmt.SyntaxError:
			t.Errorf("%v, in:\n%s", record, output)
		}
	}
	require.NoError(t, lines.Err())
	return results, lines.Units()
}

// nameOf is the name without the number of procs that testing adds.
func nameOf(r *benchfmt.Result) string {
	base, parts := r.Name.Parts()
	name := string(base)
	for _, part := range parts {
		if part[0] == '/' {
			name += string(part)
		}
	}
	return name
}

// self runs this test binary and returns what it printed on standard output. Where no
// network can be made the test is skipped: make test tells it.
func self(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil && bytes.Contains(stderr.Bytes(), []byte("no network of its own: ")) {
		t.Skip(stderr.String())
	}
	require.NoError(t, err, "%s%s", output, stderr.Bytes())
	return output
}

// TestIperfIsBesideRawTCP runs the cases of Bulk that go one way.
func TestIperfIsBesideRawTCP(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("iperf3"); err != nil {
		t.Skip("iperf3 is not installed: it has no row")
	}
	flags := []string{
		"-test.run=^$", "-test.bench=^BenchmarkBulk$/./mode=oneway", "-test.benchtime=10x",
		"-bulk=1MiB", "-transfers=2", "-framework=tcp",
	}
	results, _ := readOutput(t, self(t, flags...))
	var names []string
	for _, r := range results {
		names = append(names, "Benchmark"+nameOf(r))
		rate, ok := r.Value("B/s")
		assert.True(t, ok && rate > 0, "%s: %v B/s", nameOf(r), rate)
	}
	assert.Equal(t, []string{
		"BenchmarkBulk/framework=tcp/mode=oneway/size=1MiB/parallel=2/net=none",
		"BenchmarkBulk/framework=iperf3/mode=oneway/size=1MiB/parallel=2/net=none",
	}, names)
}
