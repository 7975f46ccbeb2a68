package rig

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

func TestReadMixture(t *testing.T) {
	for _, c := range []struct {
		about, text string
		want        mixture
		err         string
	}{
		{"sizes and weights", "1KiB-99_1MiB-1", mixture{"1KiB-99_1MiB-1", portion{1 << 10, 99}, portion{1 << 20, 1}}, ""},
		{"weights need not sum up to 100", "0B-3_2B-1.5", mixture{"0B-3_2B-1.5", portion{0, 3}, portion{2, 1.5}}, ""},
		{"no weights", "1KiB_1MiB", mixture{}, "must be size and weight of small calls, and of large ones, as in 1KiB-99_1MiB-1"},
		{"three sizes", "1KiB-9_64KiB-9_1MiB-1", mixture{}, "must be size and weight"},
		{"characters that mean something to -bench", "1KiB:99/1MiB:1", mixture{}, "must be size and weight"},
		{"a weight below nothing", "1KiB--1_1MiB-1", mixture{}, "must be size and weight"},
		{"no weight", "1KiB-0.0_1MiB-1", mixture{}, "the weight of 1KiB must be more than 0"},
		{"a size that is none", "1KiB-99_1MB-1", mixture{}, `"1MB" is not a size`},
		{"equal sizes", "1KiB-99_1KiB-1", mixture{}, "the large ones must be larger"},
	} {
		got, err := readMixture(c.text)
		if c.err != "" {
			assert.ErrorContains(t, err, c.err, c.about)
			continue
		}
		assert.NoError(t, err, c.about)
		assert.Equal(t, c.want, got, c.about)
	}
}

// TestPartsOfAMix has a client that changes large payloads, or small ones.
func TestPartsOfAMix(t *testing.T) {
	x, err := readMixture("100B-9_64KiB-1")
	require.NoError(t, err)
	for _, c := range []struct {
		about string
		wrong func(size int) bool
		part  string // of which all calls fail
	}{
		{"all is well", func(int) bool { return false }, ""},
		{"small payloads are compared", func(size int) bool { return size == 100 }, smallPart},
		{"large payloads are compared", func(size int) bool { return size > 100 }, largePart},
	} {
		j, err := x.prepare(t.Context(), fake{reply: func(m framework.EchoMessage) framework.EchoMessage {
			if c.wrong(len(m.Msg)) {
				m.Msg[0] ^= 1
			}
			return m
		}}, requestSpec{workers: 3})
		require.NoError(t, err)
		load := &local{job: j, patience: time.Minute}
		const calls = 10_000
		r, err := load.loads(loadgen.Config{Workers: 3, Calls: calls, Schedule: loadgen.ClosedLoop})
		require.NoError(t, err)
		var sum int64
		for _, p := range r.Parts {
			sum += p.Result.Sent
			assert.Equal(t, p.Name == c.part, p.Result.OK == 0, "%s: %s: %s", c.about, p.Name, p.Result.Failures())
			assert.Equal(t, p.Name != c.part, p.Result.Failed == 0, "%s: %s", c.about, p.Name)
		}
		assert.EqualValues(t, calls, sum, c.about)
		assert.InDelta(t, calls*9/10, r.Parts[0].Result.Sent, 150, "five standard deviations")
	}
}

func TestMetricsOfParts(t *testing.T) {
	part := func(calls int64) *loadgen.Result {
		r := &loadgen.Result{Elapsed: 2 * time.Second, OK: calls, Sent: calls}
		for i := range calls {
			r.Response.Record(time.Duration(i+1)*time.Microsecond, 1)
		}
		return r
	}
	for _, c := range []struct {
		about        string
		small, large int64
		rounds       int
		want         []string
	}{
		{"few calls", 19, 1, 1, []string{"small-calls/s", "large-calls/s"}},
		{"enough for medians", 9999, 20, 1, []string{"small-calls/s", "small-p50-ns", "large-calls/s", "large-p50-ns"}},
		{"enough for a p99", 10_000, 20, 1, []string{"small-calls/s", "small-p50-ns", "small-p99-ns", "large-calls/s", "large-p50-ns"}},
		{"enough in all rounds", 2000, 1000, 10, []string{"small-calls/s", "small-p50-ns", "small-p99-ns", "large-calls/s", "large-p50-ns", "large-p99-ns"}},
	} {
		list := partMetrics(&loadgen.Result{Parts: []loadgen.Part{{Name: smallPart, Result: part(c.small)}, {Name: largePart, Result: part(c.large)}}}, c.rounds)
		var units []string
		got := metrics{}
		for _, m := range list {
			units = append(units, m.Unit)
			got[m.Unit] = m.Value
			assert.Contains(t, loadbench.Units, "Unit "+m.Unit+" ")
		}
		assert.Equal(t, c.want, units, c.about)
		assert.Equal(t, float64(c.small)/2, got["small-calls/s"], c.about)
	}
	assert.Empty(t, partMetrics(new(loadgen.Result), 1), "no mix")
}

func TestCasesOfMix(t *testing.T) {
	p := planned(t, []framework.Variant{{Framework: "a"}, {Framework: "b", MaxMessage: 1 << 20}}, "-bench=Mix", "-mix=1KiB-99_1MiB-1,1KiB-9_2MiB-1", "-mix-rate=5,10")
	assert.Equal(t, []string{
		"mix=1KiB-99_1MiB-1/rate=5", "mix=1KiB-99_1MiB-1/rate=10", "mix=1KiB-9_2MiB-1/rate=5", "mix=1KiB-9_2MiB-1/rate=10",
		"mix=1KiB-99_1MiB-1/rate=5", "mix=1KiB-99_1MiB-1/rate=10",
	}, keys(p))
	assert.Contains(t, p.Absent()[0], "mix=1KiB-9_2MiB-1: a payload of 2097152 bytes is over the largest of framework=b")
	for _, c := range p.Selected() {
		assert.Contains(t, []int{11_499, 210_636}, c.Mean)
		assert.Equal(t, plan.Spec{Keys: c.Spec.Keys, Workers: 1000, Size: 1 << 10, Largest: c.Largest, Mean: c.Mean, Rate: c.Spec.Rate}, leafOf(c).Spec)
	}
}

// TestClientsMakeOneMix: the calls of all clients are of the sizes that one process draws, and
// each number of the run is made once.
func TestClientsMakeOneMix(t *testing.T) {
	const calls = 301
	c := planned(t, []framework.Variant{{Framework: "a"}}, "-bench=Mix", "-mix=1B-3_2B-1", "-mix-rate=1000000", "-arrivals=constant", "-workers=10").Selected()[0]
	x, err := readMixture("1B-3_2B-1")
	require.NoError(t, err)
	made := func(size int) (parts map[string]int64, numbers []int64) {
		parts = map[string]int64{}
		var mu sync.Mutex
		for rank := range size {
			j, err := x.prepare(t.Context(), fake{reply: func(m framework.EchoMessage) framework.EchoMessage { return m }}, requestSpec{workers: 10, rank: rank})
			require.NoError(t, err)
			a := &agent{found: Found{Case: c, Wait: plan.NewOptions().Wait()}, order: prepareRequest{Rank: rank, Size: size}, load: &local{job: j, patience: time.Minute}}
			cfg := a.config(runRequest{Calls: int64(shareOf(calls, rank, size))}, new(dues))
			cfg.OnCall = func(_ int, a loadgen.Arrival) {
				mu.Lock()
				defer mu.Unlock()
				numbers = append(numbers, a.Number)
			}
			r, err := a.load.loads(cfg)
			require.NoError(t, err)
			for _, p := range r.Parts {
				parts[p.Name] += p.Result.Due
			}
		}
		slices.Sort(numbers)
		return parts, numbers
	}
	one, numbers := made(1)
	require.Len(t, numbers, calls)
	for _, size := range []int{2, 3, 7} {
		parts, same := made(size)
		assert.Equal(t, one, parts, "%d clients", size)
		assert.Equal(t, numbers, same, "%d clients", size)
	}
}
