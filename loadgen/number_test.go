package loadgen

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/carrier"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// numbered is a call of a mix as its run numbers it.
type numbered struct {
	due    time.Duration // 0 in a closed loop, where it is as it comes
	number int64
	kind   string
}

// threeKinds makes calls that take a time and tells which call made each kind.
func threeKinds(t *testing.T, cfg Config, takes time.Duration) (calls []numbered, res *Result) {
	var mu sync.Mutex
	var start time.Time
	under := make([]Arrival, cfg.Workers)
	kind := func(name string) MixedCall {
		return MixedCall{name, float64(len(name)), func(_ context.Context, worker int) error {
			n := numbered{under[worker].Due.Sub(start), under[worker].Number, name}
			if isClosed(cfg.Schedule) {
				n.due = 0
			}
			mu.Lock()
			calls = append(calls, n)
			mu.Unlock()
			time.Sleep(takes)
			return nil
		}}
	}
	cfg.RuntimeTimers = true
	cfg.OnStart = func() { start = time.Now() }
	cfg.OnCall = func(worker int, a Arrival) { under[worker] = a }
	m := Mix{Seed: 1, Calls: []MixedCall{kind("a"), kind("bbb"), kind("cccccc")}}
	synctest.Test(t, func(t *testing.T) {
		var err error
		res, err = m.Run(t.Context(), cfg)
		require.NoError(t, err)
	})
	slices.SortFunc(calls, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	return calls, res
}

// partOfRun is what rank makes of a run, as agent.Share divides it.
func partOfRun(whole Config, rank, ranks int) Config {
	whole.Schedule = Share(whole.Schedule, rank, ranks)
	if isClosed(whole.Schedule) {
		whole.Rank, whole.Ranks = rank, ranks
	}
	all := whole.Calls
	whole.Calls /= int64(ranks)
	if int64(rank) < all%int64(ranks) {
		whole.Calls++
	}
	return whole
}

// TestRanksMakeTheCallsOfOne with any schedule, call by call: each number comes once, with
// its due time and its kind.
func TestRanksMakeTheCallsOfOne(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	trace := make([]time.Duration, 101)
	for i := range trace {
		trace[i] = time.Duration(i/3) * ms
	}
	for _, c := range []struct {
		about string
		cfg   Config
	}{
		{"at a constant rate, for a time", Config{Schedule: Constant(333.3), Duration: time.Second}},
		{"at a constant rate, for a number of calls", Config{Schedule: Constant(29), Calls: 100}},
		{"at random, for a time", Config{Schedule: Poisson(300, 3), Duration: time.Second}},
		{"at random, for a number of calls", Config{Schedule: Poisson(300, 3), Calls: 103}},
		{"on a ramp", Config{Schedule: Ramp(10, 211, 737*ms)}},
		{"in steps", Config{Schedule: Steps(Step{33.3, 400 * ms}, Step{0, ms}, Step{100, 350 * ms})}},
		{"by a trace, several at once", Config{Schedule: Trace(trace)}},
		{"by a trace that has fewer calls than there are ranks", Config{Schedule: Trace(trace[:2])}},
		{"in a closed loop", Config{Schedule: ClosedLoop, Calls: 101}},
		{"as a share of a share", Config{Schedule: Share(Constant(100), 1, 2), Duration: time.Second}},
	} {
		t.Run(c.about, func(t *testing.T) {
			c.cfg.Workers = 4
			want, _ := threeKinds(t, c.cfg, 0)
			require.NotEmpty(t, want)
			for _, ranks := range []int{1, 2, 3, 5, 7} {
				var got []numbered
				for rank := range ranks {
					part, _ := threeKinds(t, partOfRun(c.cfg, rank, ranks), 0)
					got = append(got, part...)
				}
				slices.SortFunc(got, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
				require.Equal(t, want, got, "%d ranks", ranks)
			}
		})
	}
}

// TestDroppedCallsOfRanksHaveTheirKind: a call that is not made counts for the kind that
// one process would have drawn.
func TestDroppedCallsOfRanksHaveTheirKind(t *testing.T) {
	cfg := Config{Workers: 1, Schedule: Constant(1000), Calls: 600, MaxLag: 5 * time.Millisecond}
	_, one := threeKinds(t, cfg, 10*time.Millisecond)
	require.NotZero(t, one.Dropped)
	due := map[string]int64{}
	for rank := range 3 {
		_, part := threeKinds(t, partOfRun(cfg, rank, 3), 10*time.Millisecond)
		require.NotZero(t, part.Dropped)
		for _, p := range part.Parts {
			due[p.Name] += p.Result.Due
		}
	}
	for _, p := range one.Parts {
		assert.Equal(t, p.Result.Due, due[p.Name], p.Name)
	}
}

// TestTheNumbersOfAWrappedShare, which loadgen cannot see, are given by the Config.
func TestTheNumbersOfAWrappedShare(t *testing.T) {
	type wrapped struct{ Schedule }
	calls, _ := threeKinds(t, Config{
		Workers: 1, Schedule: wrapped{Share(Constant(100), 1, 3)}, Duration: 100 * time.Millisecond, Rank: 1, Ranks: 3,
	}, 0)
	var numbers []int64
	for _, c := range calls {
		numbers = append(numbers, c.number)
	}
	assert.Equal(t, []int64{1, 4, 7}, numbers)
}

// TestACarrierNumbersItsOwnMessages: one that deals messages out to two streams would leave
// out one of them by the numbers of a run of two ranks.
func TestACarrierNumbersItsOwnMessages(t *testing.T) {
	c := &listing{}
	_, err := RunCarrier(t.Context(), Config{Workers: 1, Schedule: Share(Constant(1e6), 1, 2), Calls: 5}, c)
	require.NoError(t, err)
	assert.Equal(t, []int64{0, 1, 2, 3, 4}, c.numbers)
}

// listing is a carrier that notes messages and drops them.
type listing struct {
	*carrier.Ledger
	numbers []int64
}

func (c *listing) Begin(l *carrier.Ledger) { c.Ledger = l }

func (c *listing) Accept(m carrier.Message) int {
	c.numbers = append(c.numbers, m.Number)
	c.Drop(m.Due)
	return -1
}

func (c *listing) Send(int, carrier.Message) time.Duration { return c.Now() }
func (c *listing) Waiting() bool                           { return false }
func (c *listing) Idle() bool                              { return true }
func (c *listing) End() int                                { return 0 }

func TestBadRanks(t *testing.T) {
	for _, c := range []struct {
		about       string
		rank, ranks int
	}{
		{"a rank beyond the last", 2, 2},
		{"a rank below 0", -1, 2},
		{"a rank of no ranks", 1, 0},
		{"less than no ranks", 0, -1},
	} {
		_, err := Run(t.Context(), Config{Workers: 1, Calls: 1, Schedule: ClosedLoop, Rank: c.rank, Ranks: c.ranks}, nop)
		assert.ErrorContains(t, err, "the rank must be from 0 to one less than the ranks", c.about)
	}
}
