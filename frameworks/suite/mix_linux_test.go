package suite

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMixKeepsThePartsApart has a framework in which a large call keeps its connection for
// 20 ms, and one that answers at once.
func TestMixKeepsThePartsApart(t *testing.T) {
	t.Parallel()
	unraced(t)
	out, errOut, code := self(t, "-test.run=^$", "-test.bench=Mix", "-test.benchtime=400x", "-framework=tiny,hog",
		"-mix=64B-3_64KiB-1", "-mix-rate=400", "-arrivals=constant", "-conns=1", "-pin=off")
	require.Zero(t, code, "%s%s", out, errOut)
	lines := resultLines(out)
	require.Len(t, lines, 2)
	quick, hog := columnsOf(t, lines[0]), columnsOf(t, lines[1])
	for _, c := range []columns{quick, hog} {
		assert.Zero(t, c["errors"])
		assert.InEpsilon(t, c["calls/s"], c["small-calls/s"]+c["large-calls/s"], .001, "each call is one or the other")
		assert.InDelta(t, 3, c["small-calls/s"]/c["large-calls/s"], 1, "by their weights")
	}
	assert.InEpsilon(t, quick["small-calls/s"]/quick["large-calls/s"], hog["small-calls/s"]/hog["large-calls/s"], .001, "the same calls of both")
	assert.GreaterOrEqual(t, hog["large-p50-ns"], .98*ms(20))
	assert.GreaterOrEqual(t, hog["small-p50-ns"], .98*ms(20), "100 large calls a second take two seconds of the only connection: all wait")
	assert.Less(t, quick["small-p50-ns"], hog["small-p50-ns"])
	assert.Less(t, quick["large-p50-ns"], hog["large-p50-ns"])
}

func TestAMixIsComparedAndCapacityTakesIt(t *testing.T) {
	t.Parallel()
	out, _, code := self(t, "-test.run=^$", "-test.bench=Mix", "-test.benchtime=200x", "-framework=mixed", "-mix=64B-1_1KiB-1")
	assert.Equal(t, 1, code, "a framework that changes what it carries: %s", out)
	assert.Empty(t, resultLines(out))
	out, errOut, code := self(t, "-test.run=^$", "-test.bench=Capacity/./././mix=", "-test.benchtime=1x", "-framework=tiny", "-mix=64B-9_1KiB-1", "-slo=p50-1s")
	require.Zero(t, code, "%s%s", out, errOut)
	require.Len(t, resultLines(out), 1, errOut)
	assert.Regexp(t, `/mix=64B-9_1KiB-1/slo=p50-1s(-\d+)?\s.* large-calls/s.* small-calls/s`, out)
	parts := columnsOf(t, resultLines(out)[0])
	assert.Positive(t, parts["small-calls/s"]+parts["large-calls/s"], "on a busy machine the first calls may be of one part")
}
