package call

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fakes"
	"github.com/rpcbench/rpcbench/loadgen"
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
		j, err := x.prepare(t.Context(), fakes.Client{Reply: func(m framework.EchoMessage) framework.EchoMessage {
			if c.wrong(len(m.Msg)) {
				m.Msg[0] ^= 1
			}
			return m
		}}, Requests{Workers: 3})
		require.NoError(t, err)
		const calls = 10_000
		r, err := j.Runner()(t.Context(), loadgen.Config{Workers: 3, Calls: calls, Schedule: loadgen.ClosedLoop, Check: j.Check})
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
