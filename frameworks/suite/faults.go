package suite

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
)

// Faults breaks the server of each framework in the middle of a run, in each way of
// the flag -fault. The run must end by itself and exit with 1. It must print a line of
// each recommended variant, with the calls that succeeded before the fault in calls/s
// and the others in errors. The package needs BenchmarkEcho:
//
//	func TestFaults(t *testing.T) { suite.Faults(t) }
//
// A framework whose connections carry payloads as text does not pass: nothing is
// flipped in base64. Like Conformance it leaves out Config.References. With -short it is skipped.
func Faults(t *testing.T) {
	if current == nil {
		t.Fatal(hint)
	}
	if testing.Short() {
		t.Skip("it takes ten seconds a framework")
	}
	for name, lines := range current.breakable() {
		for _, fault := range rig.Faults() {
			t.Run(name+"/"+fault, func(t *testing.T) {
				t.Parallel() // they wait for the watchdog
				endsWithItsLines(tester{t}, lines, "-framework="+name, "-fault="+fault)
			})
		}
	}
}

// breakable counts the recommended variants of each framework: under the race
// detector of those without races of their own when a server dies.
func (s *session) breakable() map[string]int {
	variants := map[string]int{}
	for _, v := range s.proven() {
		racy := raceDetector && v.Races != (framework.Races{})
		if v.Recommended && !v.StandIn && v.Given == "" && !racy {
			variants[v.Framework]++
		}
	}
	return variants
}

// endsWithItsLines runs the recommended variants of a framework, in which a fault
// happens. The watchdog must outlast a busy machine.
func endsWithItsLines(t tester, lines int, fault ...string) {
	stdout, stderr, exitCode, err := host.Again(t.Context(), append([]string{
		"-test.run=^$", "-test.bench=^BenchmarkEcho$", "-test.benchtime=20000x", "-set=recommended",
		"-size=1KiB", "-conc=20", "-watchdog=5s",
	}, fault...)...)
	require.NoError(t, err)
	assert.Equal(t, 1, exitCode, "%s", stderr)
	printed := slices.DeleteFunc(strings.Split(stdout, "\n"), func(line string) bool {
		return !strings.HasPrefix(line, "Benchmark") || !strings.Contains(line, " calls/s")
	})
	require.Len(t, printed, lines, "%s%s", stdout, stderr)
	for _, line := range printed {
		assert.Positive(t, valueOf(t, line, "errors"), line)
		assert.Positive(t, valueOf(t, line, "calls/s"), line)
		if slices.Contains(fault, "-fault=flip") {
			assert.Positive(t, valueOf(t, line, "flips"), line)
			assert.GreaterOrEqual(t, valueOf(t, line, "errors"), .999*valueOf(t, line, "flips"), line)
		}
		name, _, _ := strings.Cut(strings.Fields(line)[0], "-")
		assert.Contains(t, stderr, "# failed calls: "+name)
	}
}

// valueOf returns the value of a unit in a result line.
func valueOf(t require.TestingT, line, unit string) float64 {
	fields := strings.Fields(line)
	i := slices.Index(fields, unit)
	require.Positive(t, i, "%s: no %s", line, unit)
	v, err := strconv.ParseFloat(fields[i-1], 64)
	require.NoError(t, err, line)
	return v
}
