package resilience

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fault"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// Faults breaks the server of each framework in the middle of a run, in each way of the
// flag -fault.
func (c Config) Faults(t tester.T) {
	variants := map[string][]plan.Target{}
	for _, v := range c.breakable() {
		variants[v.Framework] = append(variants[v.Framework], v)
	}
	for name, variants := range variants {
		c.each(t, name, variants, "-test.bench=^BenchmarkEcho$", "-set=recommended", "-framework="+name)
	}
}

// FaultsOf is Faults for one variant of those with its required keys.
func (c Config) FaultsOf(t tester.T, v plan.Target) {
	c.each(t, v.Framework, []plan.Target{v}, "-test.bench=^BenchmarkEcho$/"+v.RequiredKeys(), "-references=false")
}

// each breaks the servers of variants of a framework, which flags select, in each way.
func (c Config) each(t tester.T, name string, variants []plan.Target, flags ...string) {
	for _, fault := range fault.All() {
		t.Run(name+"/"+fault, func(t tester.T) {
			t.Parallel() // they wait for the watchdog
			c.Fault(t, variants, fault, flags...)
		})
	}
}

// callsUnder returns how many calls meet a fault, of which the first thousand succeed: 2,000,
// or with -storms 20,000. A reply of garbage ends its connection. golang.org/x/net/http2
// keeps an ended connection for 5 s if it served one call, so 20,000 of them would hold
// a quarter of a gigabyte.
func (c Config) callsUnder(fault string) int {
	switch {
	case !c.All:
		return 2000
	case fault == "garbage":
		return 10_000
	}
	return 20_000
}

// breakable returns the recommended variants without layers. Under the race detector it
// leaves out frameworks that have races of their own.
func (c Config) breakable() []plan.Target {
	return slices.DeleteFunc(slices.Clone(c.Targets), func(v plan.Target) bool {
		racy := race.Enabled && v.Races != (framework.Races{})
		return !v.Recommended || v.StandIn || v.Given != "" || v.With != "" || racy
	})
}

// Fault runs variants, which flags select, with a fault. The run must end by itself, exit with
// 1, and print a line of each variant, with calls that succeeded before the fault and others
// that failed. The watchdog must outlast a busy machine.
func (c Config) Fault(t tester.T, variants []plan.Target, fault string, flags ...string) {
	ended, err := process.Rerun(t.Context(), append([]string{
		"-test.run=^$", fmt.Sprintf("-test.benchtime=%dx", c.callsUnder(fault)), "-size=1KiB", "-conc=20", "-watchdog=5s", "-fault=" + fault,
	}, flags...)...)
	require.NoError(t, err)
	assertEnd(t, ended, variants[0].Announced)
	printed := tester.Results(ended.Stdout)
	require.Len(t, printed, len(variants), "%s%s", ended.Stdout, ended.Stderr)
	if variants[0].Datagrams && (fault == "flip" || fault == "noise") {
		assertMended(t, ended, printed)
		return
	}
	assert.Equal(t, 1, ended.ExitCode, "%s", ended.Stderr)
	for _, line := range printed {
		assert.Positive(t, tester.Value(t, line, "errors"), line)
		assert.Positive(t, tester.Value(t, line, "calls/s"), line)
		if fault == "flip" {
			assert.Positive(t, tester.Value(t, line, "flips"), line)
			assert.GreaterOrEqual(t, tester.Value(t, line, "errors"), .999*tester.Value(t, line, "flips"), line)
		}
		benchmark, _, _ := strings.Cut(strings.Fields(line)[0], "-")
		assert.Contains(t, ended.Stderr, "# failed calls: "+benchmark)
	}
}

// assertMended asserts that no call failed of a protocol over datagrams: QUIC throws one with a
// wrong bit away, as if it were lost, and sends it again. TLS hides payloads, so that no bit of
// one is flipped, which is told.
func assertMended(t tester.T, ended process.Ended, printed []string) {
	assert.Zero(t, ended.ExitCode, "%s", ended.Stderr)
	for _, line := range printed {
		assert.Zero(t, tester.Value(t, line, "errors"), line)
		assert.True(t, tester.Value(t, line, "flips") > 0 || strings.Contains(ended.Stderr, "no bit was flipped"), "%s%s", line, ended.Stderr)
	}
}
