package suite

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSizesInNames(t *testing.T) {
	t.Parallel()
	unraced(t)
	const tinyKeys = "framework=tiny/transport=tcp/codec=gob/"
	for _, c := range []struct {
		about string
		args  []string
		names []string // after Benchmark
	}{
		{"without -size Workload has no key of its size", measuring("Workload", "-framework=tiny", "-workload=steady"), []string{"Workload/" + tinyKeys + "workload=steady/conc=100"}},
		{"with it the size is the last key", measuring("Workload", "-framework=tiny", "-workload=steady", "-size=64B,1KiB:2KiB"), []string{
			"Workload/" + tinyKeys + "workload=steady/conc=100/size=64B", "Workload/" + tinyKeys + "workload=steady/conc=100/size=1KiB:2KiB",
		}},
		{"also where it is given as its default", measuring("Workload", "-framework=tiny", "-workload=steady", "-size=64B,1KiB,16KiB"), []string{
			"Workload/" + tinyKeys + "workload=steady/conc=100/size=64B", "Workload/" + tinyKeys + "workload=steady/conc=100/size=1KiB", "Workload/" + tinyKeys + "workload=steady/conc=100/size=16KiB",
		}},
		{"after the variant's own keys", measuring("Workload", "-framework=crew", "-workload=steady", "-size=1B"), []string{"Workload/framework=crew/transport=tcp/codec=gob/workload=steady/conc=100/pool=workers/size=1B"}},
		{"an open loop of work", measuring("Rate/framework=/transport=/codec=/workload=steady/rate=10000", "-framework=tiny", "-size=1KiB:2KiB"), []string{"Rate/" + tinyKeys + "workload=steady/rate=10000/size=1KiB:2KiB"}},
		{"Echo has two sizes at the place of one", measuring("Echo", "-framework=tiny", "-size=0B,64B:16KiB"), []string{"Echo/" + tinyKeys + "size=0B/conc=100", "Echo/" + tinyKeys + "size=64B:16KiB/conc=100"}},
		{"so has Rate", measuring("Rate", "-framework=tiny", "-size=64B:16KiB", "-rate=1000"), []string{"Rate/" + tinyKeys + "size=64B:16KiB/rate=1000"}},
		{"and Capacity", measuring("Capacity", "-framework=tiny", "-size=64B:16KiB"), []string{"Capacity/" + tinyKeys + "size=64B:16KiB/slo=p99-5ms"}},
		{"and Load", measuring("Load", "-framework=tiny", "-size=64B:16KiB", "-load=50"), []string{"Load/" + tinyKeys + "size=64B:16KiB/load=50%"}},
		{"a distribution has the place of one size", measuring("Echo", "-framework=tiny", "-size=mix:64B-60_1KiB-40,1B"), []string{"Echo/" + tinyKeys + "size=mix:64B-60_1KiB-40/conc=100", "Echo/" + tinyKeys + "size=1B/conc=100"}},
		{"and of Workload no name ends with it: benchstat would take the 40 for a number of CPUs", measuring("Workload", "-framework=tiny", "-workload=steady", "-size=mix:64B-60_1KiB-40,1B"), []string{
			"Workload/" + tinyKeys + "workload=steady/size=mix:64B-60_1KiB-40/conc=100", "Workload/" + tinyKeys + "workload=steady/conc=100/size=1B",
		}},
		{"a pattern may name a distribution", measuring("Rate/framework=/transport=/codec=/size=mix:64B-60_1KiB-40", "-framework=tiny", "-size=64B,mix:64B-60_1KiB-40", "-rate=1000"), []string{"Rate/" + tinyKeys + "size=mix:64B-60_1KiB-40/rate=1000"}},
		{"a pattern may name two sizes", measuring("Echo/framework=/transport=/codec=/size=64B:16KiB", "-framework=tiny", "-size=64B,64B:16KiB"), []string{"Echo/" + tinyKeys + "size=64B:16KiB/conc=100"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, append(c.args, "-cases")...)
			require.Zero(t, code, errOut)
			assert.Equal(t, "Benchmark"+strings.Join(c.names, "\nBenchmark")+"\n", out)
		})
	}
}

func TestRepliesOfAnotherSizeAreMeasured(t *testing.T) {
	unraced(t)
	t.Parallel()
	for _, c := range []struct {
		about string
		args  []string
		lines int
	}{
		{"by a closed and by an open loop, after work, and counted", measuring("Echo|Rate|Workload|Count", "-rate=2000", "-workload=steady"), 4},
		{"by several clients", measuring("Echo|Workload", "-clients=2", "-workload=steady"), 2},
		{"by clients that know whether -size was given", measuring("Echo|Workload", "-clients=2", "-workload=steady", "-conc=5"), 2},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, append(c.args, "-framework=tiny", "-size=1KiB:4KiB", "-conc=10")...)
			require.Zero(t, code, "%s%s", out, errOut)
			require.Len(t, resultLines(out), c.lines, out)
			for _, line := range resultLines(out) {
				assert.Contains(t, line, "/size=1KiB:4KiB")
				assert.NotRegexp(t, `\s[1-9][0-9.]* errors`, line)
			}
		})
	}
}

// TestSizesThatVaryAreMeasured: the lines of every loop, of one client and of several, have the
// mean and the largest, and MB/s that is their product with the rate.
func TestSizesThatVaryAreMeasured(t *testing.T) {
	unraced(t)
	t.Parallel()
	for _, c := range []struct {
		about string
		args  []string
		lines int
	}{
		{"a closed and an open loop, and work", measuring("Echo|Rate|Workload", "-rate=2000", "-workload=steady"), 3},
		{"several clients", measuring("Echo|Rate", "-clients=2", "-rate=2000"), 2},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, append(c.args, "-framework=tiny", "-size=mix:64B-50_1KiB-50", "-conc=10", "-test.benchtime=300x")...)
			require.Zero(t, code, "%s%s", out, errOut)
			assert.Equal(t, 1, strings.Count(out, "# size=mix:64B-50_1KiB-50: mean 544B, p50 64B, p99 1KiB, largest 1KiB, sequence "), out)
			require.Len(t, resultLines(out), c.lines, out)
			for _, line := range resultLines(out) {
				mean := valueOf(t, line, "payload-mean-B")
				assert.InEpsilon(t, 544, mean, .2, line)
				assert.EqualValues(t, 1024, valueOf(t, line, "payload-largest-B"), line)
				assert.InEpsilon(t, mean*valueOf(t, line, "calls/s")/1e6, valueOf(t, line, "MB/s"), .01, line)
			}
		})
	}
}

// valueOf is the figure of a line that has this unit.
func valueOf(t *testing.T, line, unit string) float64 {
	fields := strings.Fields(line)
	at := slices.Index(fields, unit)
	require.Positive(t, at, "%s of %s", unit, line)
	value, err := strconv.ParseFloat(fields[at-1], 64)
	require.NoError(t, err)
	return value
}

// TestAGivenServerAnswersAnySize: it needs nothing beyond Echo.
func TestAGivenServerAnswersAnySize(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, measuring("Echo", "-server=framework=tiny@"+running(t, tiny{}), "-size=mix:0B-50_100KiB-50", "-conc=10")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Len(t, resultLines(out), 1)
}

func TestWorkOfSeveralClientsWithoutASize(t *testing.T) {
	unraced(t)
	t.Parallel()
	out, errOut, code := self(t, measuring("Workload", "-framework=tiny", "-workload=steady", "-clients=2", "-conc=10")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Contains(t, resultLines(out)[0], "workload=steady/conc=10")
	assert.NotContains(t, resultLines(out)[0], "size=")
}

func TestThroughputIsOfTheLargerPayload(t *testing.T) {
	unraced(t)
	t.Parallel()
	for size, has := range map[string]bool{"64KiB:64B": true, "64B:64KiB": true, "64B:32KiB": false} {
		out, errOut, code := self(t, measuring("Echo", "-framework=tiny", "-size="+size, "-conc=4", "-test.benchtime=50x")...)
		require.Zero(t, code, "%s%s", out, errOut)
		assert.Equal(t, has, strings.Contains(resultLines(out)[0], " MB/s"), size)
	}
}

// TestVariantsThatCannotAskForAReply have no line, and it is said why.
func TestVariantsThatCannotAskForAReply(t *testing.T) {
	unraced(t)
	t.Parallel()
	const why = "size=1KiB:2KiB: messages that are bytes alone carry no action, which asks for a reply of another size"
	out, errOut, code := self(t, measuring("Echo|Workload", "-framework=tiny,bare,shy", "-size=1B,1KiB:2KiB", "-conc=10", "-workload=steady")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Contains(t, out, "# skipped: BenchmarkEcho: "+why+"\n")
	assert.Len(t, resultLines(out), 6, "two of tiny, one of each other, and two of work of tiny")
	_, errOut, code = self(t, measuring("Echo", "-framework=bare", "-size=1KiB:2KiB")...)
	assert.Equal(t, 2, code)
	assert.Equal(t, "rpcbench: -bench=Echo: nothing is left to measure: BenchmarkEcho: "+why+"\n", errOut)
}

func TestServersThatLackRepliesOfAnotherSize(t *testing.T) {
	t.Parallel()
	addr := running(t, tiny{handle: func(f *tinyFrame) error {
		if strings.HasPrefix(f.Action, "reply/") {
			f.Error = "rpcbench: not implemented"
		}
		return nil
	}})
	out, errOut, code := self(t, measuring("Echo", "-server=framework=tiny@"+addr, "-size=1KiB,1KiB:2KiB", "-conc=10")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Len(t, resultLines(out), 1)
	assert.Contains(t, out, "# skipped: Echo/size=1KiB:2KiB of framework=tiny/transport=tcp/codec=gob at "+addr+": ")
}
