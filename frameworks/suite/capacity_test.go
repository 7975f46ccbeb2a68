package suite

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// value is that of a unit in a benchmark line; NaN if it is not there.
func value(line, unit string) float64 {
	fields := strings.Fields(line)
	for i, f := range fields[1:] {
		if f == unit {
			v, _ := strconv.ParseFloat(fields[i], 64)
			return v
		}
	}
	return math.NaN()
}

// search are flags of a quick search, by an objective that holds on any machine
// that is not overloaded.
func search(pattern, benchtime string, more ...string) []string {
	args := []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + benchtime, "-framework=tiny", "-size=1KiB", "-workers=200", "-slo=p50-50ms", "-probe=1s"}
	return append(args, more...)
}

func TestCapacityIsFoundOnce(t *testing.T) {
	out, errOut, code := self(t, search("Capacity", "100x")...)
	require.Zero(t, code, out+errOut)
	lines := resultLines(out)
	require.Len(t, lines, 1)
	assert.Contains(t, lines[0], "BenchmarkCapacity/framework=tiny/transport=tcp/codec=gob/size=1KiB/slo=p50-50ms")
	rate := value(lines[0], "calls/s")
	assert.Greater(t, rate, 100.)
	assert.LessOrEqual(t, value(lines[0], "low-calls/s"), rate)
	assert.NotContains(t, lines[0], " ns/op", "it has nothing to do with b.N")
	assert.Equal(t, 1, strings.Count(errOut, "calls/s, from "), "the round of 100 calls has the answer of the first: %s", errOut)
	assert.Contains(t, errOut, "fails: p50 ", "each probe is told")
}

func TestEveryCountIsASearchOfItsOwn(t *testing.T) {
	out, errOut, code := self(t, search("Capacity", "1x", "-test.count=3")...)
	require.Zero(t, code, out+errOut)
	assert.Len(t, resultLines(out), 3)
	assert.Equal(t, 3, strings.Count(errOut, "calls/s, from "))
	assert.Equal(t, 6, strings.Count(errOut, "\n"), "with -benchtime=1x of one probe: %s", errOut)
}

func TestLoadOffersSharesOfTheCapacity(t *testing.T) {
	out, errOut, code := self(t, search("Load", "200x", "-load=10,30")...)
	require.Zero(t, code, out+errOut)
	lines := resultLines(out)
	require.Len(t, lines, 2)
	assert.Contains(t, lines[0], "BenchmarkLoad/framework=tiny/transport=tcp/codec=gob/size=1KiB/load=10%")
	assert.InEpsilon(t, 3*value(lines[0], "offered/s"), value(lines[1], "offered/s"), .01)
	assert.Equal(t, 1, strings.Count(errOut, "calls/s, from "), "searched for once: %s", errOut)
	assert.Equal(t, 3, strings.Count(lines[1], "server-"), "an ordinary line, with CPU and memory: %s", lines[1])
}

func TestAnObjectiveBelowTheServiceTime(t *testing.T) {
	out, _, code := self(t, search("Capacity", "100x", "-slo=p50-1us")...)
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "p50 ≤ 1µs cannot be met: even for one caller alone it is ")
	assert.Empty(t, resultLines(out))
}

func TestObjectives(t *testing.T) {
	for text, want := range map[string]slo{
		"p99-5ms":     {"p99-5ms", .99, 5 * time.Millisecond},
		"p99.9-10ms":  {"p99.9-10ms", .999, 10 * time.Millisecond},
		"p50-1m0.5s":  {"p50-1m0.5s", .5, time.Minute + time.Second/2},
		"99-5ms":      {},
		"p-5ms":       {},
		"p99-0ms":     {},
		"p99--5ms":    {},
		"p99-5":       {},
		"p1e2-5ms":    {},
		"p99-5ms-5ms": {},
		"":            {},
	} {
		got, err := parseSLO(text)
		if want == (slo{}) {
			assert.ErrorContains(t, err, "is no objective such as p99-5ms", text)
			continue
		}
		require.NoError(t, err)
		assert.InDelta(t, want.quantile, got.quantile, 1e-9)
		assert.Equal(t, want.name, got.name)
		assert.Equal(t, want.latency, got.latency)
	}
}
