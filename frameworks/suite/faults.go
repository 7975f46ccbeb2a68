package suite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fault"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// Faults breaks the server of each framework in the middle of a run, in each way of
// the flag -fault. The run must end by itself and exit with 1. It must print a line of
// each recommended variant, with the calls that succeeded before the fault in calls/s
// and the others in errors. The package needs BenchmarkEcho:
//
//	func TestFaults(t *testing.T) { suite.Faults(t) }
//
// Like Conformance it leaves out Config.References. With -short it is skipped.
func Faults(t *testing.T) {
	if current == nil {
		t.Fatal(hint)
	}
	if testing.Short() {
		t.Skip("it takes ten seconds a framework")
	}
	variants := map[string][]plan.Target{}
	for _, v := range current.breakable() {
		variants[v.Framework] = append(variants[v.Framework], v)
	}
	for name, variants := range variants {
		for _, fault := range fault.All() {
			t.Run(name+"/"+fault, func(t *testing.T) {
				t.Parallel() // they wait for the watchdog
				endsWithItsLines(tester{t}, variants, name, fault)
			})
		}
	}
}

// callsUnder returns how many calls meet a fault, of which the first thousand succeed: 2,000,
// or with -storms 20,000. A reply of garbage ends its connection. golang.org/x/net/http2
// keeps an ended connection for 5 s if it served one call, so 20,000 of them would hold
// a quarter of a gigabyte.
func (s *session) callsUnder(fault string) int {
	switch {
	case !s.storms:
		return 2000
	case fault == "garbage":
		return 10_000
	}
	return 20_000
}

// breakable are the recommended variants, without layers: under the race detector those without races
// of their own when a server dies.
func (s *session) breakable() []plan.Target {
	return slices.DeleteFunc(s.proven(), func(v plan.Target) bool {
		racy := raceDetector && v.Races != (framework.Races{})
		return !v.Recommended || v.StandIn || v.Given != "" || v.With != "" || racy
	})
}

// endsWithItsLines runs the recommended variants of a framework, in which a fault
// happens. The watchdog must outlast a busy machine.
func endsWithItsLines(t tester, variants []plan.Target, name, fault string) {
	ended, err := process.Rerun(t.Context(),
		"-test.run=^$", "-test.bench=^BenchmarkEcho$", fmt.Sprintf("-test.benchtime=%dx", current.callsUnder(fault)),
		"-set=recommended", "-size=1KiB", "-conc=20", "-watchdog=5s",
		"-framework="+name, "-fault="+fault,
	)
	require.NoError(t, err)
	assert.Equal(t, 1, ended.ExitCode, "%s", ended.Stderr)
	assertCalm(t, ended, variants[0].Announced)
	printed := resultsIn(ended.Stdout)
	require.Len(t, printed, len(variants), "%s%s", ended.Stdout, ended.Stderr)
	for _, line := range printed {
		assert.Positive(t, valueOf(t, line, "errors"), line)
		assert.Positive(t, valueOf(t, line, "calls/s"), line)
		if fault == "flip" {
			assert.Positive(t, valueOf(t, line, "flips"), line)
			assert.GreaterOrEqual(t, valueOf(t, line, "errors"), .999*valueOf(t, line, "flips"), line)
		}
		benchmark, _, _ := strings.Cut(strings.Fields(line)[0], "-")
		assert.Contains(t, ended.Stderr, "# failed calls: "+benchmark)
	}
}

// resultsIn returns the result lines of an output.
func resultsIn(stdout string) []string {
	return slices.DeleteFunc(strings.Split(stdout, "\n"), func(line string) bool {
		return !strings.HasPrefix(line, "Benchmark") || !strings.Contains(line, " calls/s")
	})
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
