package suite

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// search are flags of a quick search, by an objective that holds on any machine
// that is not overloaded. It takes ten seconds even so. The server's pace bounds the rate,
// so that the search leaves CPU to others.
func search(t *testing.T, pattern, benchtime string, more ...string) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("a search takes ten seconds")
	}
	args := []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + benchtime, "-framework=pace", "-size=1KiB", "-workers=200", "-slo=p50-50ms", "-probe=1s"}
	return append(args, more...)
}

// TestCapacityIsFoundOnce also in the round that repeats it.
// Slow: a search has probes of a second.
func TestCapacityIsFoundOnce(t *testing.T) {
	t.Parallel()
	unraced(t)
	out, errOut, code := self(t, search(t, "Capacity", "100x")...)
	require.Zero(t, code, out+errOut)
	lines := resultLines(out)
	require.Len(t, lines, 1)
	assert.Contains(t, lines[0], "BenchmarkCapacity/framework=pace/transport=tcp/codec=bytes/size=1KiB/slo=p50-50ms")
	rate := tester.Value(t, lines[0], "calls/s")
	assert.Greater(t, rate, 100.)
	assert.LessOrEqual(t, tester.Value(t, lines[0], "low-calls/s"), rate)
	assert.NotContains(t, lines[0], " ns/op", "it has nothing to do with b.N")
	assert.Equal(t, 1, strings.Count(errOut, "calls/s, from "), "the round of 100 calls has the answer of the first: %s", errOut)
	assert.Regexp(t, `calls/s: fails(, not certain)?: p50 `, errOut, "each probe is told")
}

func TestEveryCountIsASearchOfItsOwn(t *testing.T) {
	t.Parallel()
	unraced(t)
	out, errOut, code := self(t, search(t, "Capacity", "1x", "-framework=tiny", "-test.count=3")...)
	require.Zero(t, code, out+errOut)
	assert.Len(t, resultLines(out), 3)
	assert.Equal(t, 3, strings.Count(errOut, "calls/s, from "))
	assert.Equal(t, 6, strings.Count(errOut, "\n"), "with -benchtime=1x of one probe: %s", errOut)
}

// TestLoadOffersSharesOfTheCapacity by one search.
// Slow: a search has probes of a second.
func TestLoadOffersSharesOfTheCapacity(t *testing.T) {
	unraced(t)
	t.Parallel()
	out, errOut, code := self(t, search(t, "Load", "200x", "-load=10,30,150", "-retry=2")...)
	require.Zero(t, code, out+errOut)
	lines := resultLines(out)
	require.Len(t, lines, 3)
	assert.Contains(t, lines[0], "BenchmarkLoad/framework=pace/transport=tcp/codec=bytes/size=1KiB/load=10%")
	assert.InEpsilon(t, 3*tester.Value(t, lines[0], "offered/s"), tester.Value(t, lines[1], "offered/s"), .01)
	assert.Equal(t, 1, strings.Count(errOut, "calls/s, from "), "searched for once: %s", errOut)
	assert.Positive(t, tester.Value(t, lines[1], "server-cpu-ns/op"), "it is an ordinary line")
	assert.Zero(t, tester.Value(t, lines[0], "wasted-%"), "each call that was handled was answered, too")
	assert.NotContains(t, lines[1], "recover-ns", "there was nothing to recover from")
	assert.Contains(t, out, "\nretry: 2\n")
	assert.Contains(t, lines[2], "/load=150%")
	for _, unit := range []string{"wasted-%", "recover-ns", "retries/op"} {
		assert.Contains(t, lines[2], unit)
	}
}

// TestRanksSearchTogether for the capacity, by one search of which each makes its share, and load
// the server beyond it.
// Slow: a search has probes of a second.
func TestRanksSearchTogether(t *testing.T) {
	t.Parallel()
	unraced(t)
	all := together(t, 3, nil, search(t, "Load", "200x", onHere(t), "-load=50,150", "-retry=2", "-wait=quiet")...)
	out, errOut := all[0].Stdout, all[0].Stderr
	require.Zero(t, all[0].ExitCode, "%s%s", out, errOut)
	lines := resultLines(out)
	require.Len(t, lines, 2)
	assert.InDelta(t, 250, tester.Value(t, lines[0], "offered/s"), 100, "half of what the server answers, one call in 2 ms")
	assert.Regexp(t, `calls/s: fails(, not certain)?: p50 `, errOut, "each probe is told")
	assert.Equal(t, 1, strings.Count(errOut, "calls/s, from "), "searched for once: %s", errOut)
	for _, unit := range []string{"wasted-%", "recover-ns", "retries/op"} {
		assert.Contains(t, lines[1], unit)
	}
	for _, other := range all[1:] {
		assert.Zero(t, other.ExitCode, other.Stderr)
		assert.Empty(t, resultLines(other.Stdout))
	}
}

// TestEveryVariantHasItsOwnCapacity by a search each.
// Slow: a search has probes of a second, and there are two.
func TestEveryVariantHasItsOwnCapacity(t *testing.T) {
	t.Parallel()
	unraced(t)
	out, errOut, code := self(t, search(t, "Load", "200x", "-framework=twin", "-size=64KiB", "-load=10,30")...)
	require.Zero(t, code, out+errOut)
	assert.Len(t, resultLines(out), 4)
	assert.Equal(t, 2, strings.Count(errOut, "calls/s, from "), "searched for once each: %s", errOut)
}

func TestAnObjectiveBelowTheServiceTime(t *testing.T) {
	t.Parallel()
	out, _, code := self(t, search(t, "Capacity", "100x", "-slo=p50-1us")...)
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "p50 ≤ 1µs cannot be met: even for one caller alone it is ")
	assert.Empty(t, resultLines(out))
}
