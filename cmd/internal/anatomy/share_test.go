package anatomy

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	writing = "main.main;net.(*conn).Write;syscall.write"
	gobbing = "main.main;encoding/gob.encode"
)

// run is one of 1,000 calls of 40 µs.
func run(side string, s Stacks) Run {
	return Run{Name: "BenchmarkEcho/framework=a", Side: side, Calls: 1000, CPU: 40_000, Tick: 4 * time.Millisecond, Stacks: s}
}

func TestPartsOfSides(t *testing.T) {
	sides := NewTable(nil).Sides([]Run{run("client", Stacks{writing: 6, gobbing: 4}), run("server", Stacks{writing: 1}), run("client", Stacks{writing: 10})})
	require.Len(t, sides, 2)
	client := sides[0]
	assert.Len(t, client.Runs, 2)
	assert.EqualValues(t, 20, client.Samples)
	assert.InDelta(t, 40_000, client.CPU, 1e-6)
	assert.InDelta(t, 1, client.Covered, 1e-9, "10 samples a round are 40 ms")
	parts, sum := map[string]float64{}, 0.0
	for _, row := range client.Parts {
		parts[row.Part] = row.NS
		sum += row.NS
		assert.True(t, row.Few())
		assert.Positive(t, row.Half, "%s: a part without a sample may have been missed", row.Part)
	}
	assert.Len(t, parts, len(Parts()))
	assert.InDelta(t, 32_000, parts["write"], 1e-6)
	assert.InDelta(t, 8_000, parts["serializer"], 1e-6)
	assert.InDelta(t, client.CPU, sum, 1e-6, "parts add up to the whole")
	assert.Equal(t, []Place{{"write", "main.main"}, {"serializer", "encoding/gob.encode"}}, []Place{client.Functions[0].Place, client.Functions[1].Place})
	assert.Greater(t, client.Parts[order("write")].HalfNS(client), 12_000.0, "two rounds that differ tell little")
}

// TestIntervals: of many runs whose parts are known, 95 in 100 have the truth in their interval.
func TestIntervals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		about          string
		share, between float64 // between is by how much rounds differ, of the share
	}{
		{"a large part", .4, 0}, {"a small one", .02, 0}, {"one whose rounds differ by half", .2, .5},
	} {
		held, trials := 0, 2000
		for range trials {
			own, all := make([]float64, 6), make([]float64, 6)
			for i := range all {
				p := c.share * (1 + c.between*(2*rng.Float64()-1))
				for all[i] = 0; all[i] < 500; all[i]++ {
					if rng.Float64() < p {
						own[i]++
					}
				}
			}
			if off := total(own)/total(all) - c.share; max(off, -off) <= half(own, all) {
				held++
			}
		}
		assert.GreaterOrEqual(t, float64(held)/float64(trials), .94, c.about)
	}
}

func TestLinesOfParts(t *testing.T) {
	r := run("client", Stacks{writing: 6, gobbing: 4})
	r.Config = map[string]string{"gogc": "100", "go": "go1.26"}
	var b strings.Builder
	other := r
	other.Config = map[string]string{"gogc": "100", "grpc": "v1"}
	require.NoError(t, NewTable(nil).WriteLines(&b, []Run{r, r, other}))
	assert.True(t, strings.HasPrefix(b.String(), "go: go1.26\ngogc: 100\nBenchmarkEcho/framework=a/side=client/part=read 1000 0 ns/op 0 samples\n"), b.String())
	assert.Contains(t, b.String(), "\nBenchmarkEcho/framework=a/side=client/part=write 1000 24000 ns/op 6 samples\n")
	assert.Equal(t, 1, strings.Count(b.String(), "gogc"), "settings that stay are not said again")
	assert.Contains(t, b.String(), " samples\ngo:\ngrpc: v1\nBenchmark", "and what another run does not say holds no more")
	assert.Equal(t, 4+3*len(Parts()), strings.Count(b.String(), "\n"), "a part without a sample has a line, so that rounds are pairs")
}
