package loadgen

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSharesAreTheWhole(t *testing.T) {
	for _, c := range []struct {
		about string
		whole Schedule
	}{
		{"without end", Poisson(1e5, 3)},
		{"with an end that no number of ranks divides", Ramp(100, 200, 737*time.Millisecond)},
		{"fewer arrivals than ranks", Trace([]time.Duration{1, 2})},
		{"empty", Trace(nil)},
	} {
		t.Run(c.about, func(t *testing.T) {
			for _, ranks := range []int{1, 2, 7} {
				want := take(c.whole, 10*ranks)
				var union []time.Duration
				for rank := range ranks {
					union = append(union, take(Share(c.whole, rank, ranks), 10)...)
				}
				slices.Sort(union)
				assert.Equal(t, len(want), len(union))
				assert.ElementsMatch(t, want, union)
			}
		})
	}
}

func TestShareOfAClosedLoop(t *testing.T) {
	assert.Equal(t, ClosedLoop, Share(ClosedLoop, 1, 2))
}

func TestBadShares(t *testing.T) {
	for _, c := range []struct {
		about string
		share Schedule
		say   string
	}{
		{"a rank beyond the last", Share(Constant(1), 2, 2), "rank 2 among 2"},
		{"a rank below 0", Share(Constant(1), -1, 2), "rank -1 among 2"},
		{"no parts", Share(Constant(1), 0, 0), "rank 0 among 0"},
		{"of nothing", Share(nil, 0, 1), "no schedule"},
		{"of what is wrong itself", Share(Constant(-1), 0, 1), "Constant rate is -1"},
	} {
		_, err := Run(t.Context(), Config{Workers: 1, Calls: 1, Schedule: c.share}, func(context.Context, int) error { return nil })
		require.ErrorContains(t, err, c.say, c.about)
	}
}

func FuzzSharesAreTheWhole(f *testing.F) {
	f.Add(1000., uint64(1), uint8(4), uint16(100))
	f.Add(1e-3, uint64(2), uint8(1), uint16(7))
	f.Add(1e9, uint64(3), uint8(255), uint16(3))
	f.Fuzz(func(t *testing.T, rate float64, seed uint64, many uint8, n uint16) {
		ranks, first := max(int(many), 1), int(n)%2000
		if validRate("", rate) != nil {
			t.Skip("no schedule")
		}
		for _, whole := range []Schedule{Constant(rate), Poisson(rate, seed), Ramp(0, rate, time.Second)} {
			arrivals := take(whole, first)
			for rank := range ranks {
				var want []time.Duration
				for i := rank; i < len(arrivals); i += ranks {
					want = append(want, arrivals[i])
				}
				got := take(Share(whole, rank, ranks), len(want))
				require.True(t, slices.Equal(want, got), "rank %d of %d", rank, ranks)
			}
		}
	})
}
