package load

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/loadgen"
)

// drawn are replies of ranks that have drawn their shares of n calls.
func drawn(s loadgen.Schedule, ranks, n int, end time.Duration) []RunReply {
	replies := make([]RunReply, ranks)
	for rank := range replies {
		arrivals := noted(loadgen.Share(s, rank, ranks), end, &replies[rank].Dues).Start()
		for range shareOf(n, rank, ranks) {
			arrivals.Next()
		}
	}
	return replies
}

func TestTheUnionOfDueTimesIsTheSchedule(t *testing.T) {
	for name, s := range map[string]loadgen.Schedule{"constant": loadgen.Constant(1000), "Poisson": loadgen.Poisson(1000, 1)} {
		for _, ranks := range []int{1, 2, 3, 7, 64} {
			for _, n := range []int{0, 1, 63, 1000} {
				assert.NoError(t, checkDues(s, drawn(s, ranks, n, 0), 0), "%s: %d calls of %d", name, n, ranks)
			}
		}
	}
	assert.NoError(t, checkDues(loadgen.ClosedLoop, make([]RunReply, 2), 0), "which has no due times")
}

func TestDueTimesThatAreNotTheSchedules(t *testing.T) {
	s := loadgen.Poisson(1000, 1)
	for about, change := range map[string]func([]RunReply){
		"one is missing and another comes twice": func(r []RunReply) { r[0].Dues, r[1].Dues = dues{}, duesOf(loadgen.Share(s, 0, 4), 500, 0) },
		"two ranks have the same share":          func(r []RunReply) { r[2].Dues = r[1].Dues },
		"one has another seed":                   func(r []RunReply) { r[3] = drawn(loadgen.Poisson(1000, 2), 4, 1000, 0)[3] },
		"a call is lost":                         func(r []RunReply) { r[3].Dues.Sum -= mixed(rand.Uint64()) },
	} {
		replies := drawn(s, 4, 1000, 0)
		change(replies)
		assert.Error(t, checkDues(s, replies, 0), about)
	}
}

// loadgen starts a schedule several times, and draws a call that is due after the end.
func TestDueTimesOfARun(t *testing.T) {
	s := loadgen.Constant(10_000)
	for about, cfg := range map[string]loadgen.Config{
		"bounded by calls": {Calls: 500},
		"bounded by time":  {Duration: 40 * time.Millisecond},
	} {
		var d dues
		cfg.Workers, cfg.Schedule = 3, noted(s, cfg.Duration, &d)
		res, err := loadgen.Run(t.Context(), cfg, func(context.Context, int) error { return nil })
		assert.NoError(t, err, about)
		assert.Equal(t, res.Sent, d.Calls, about)
		assert.Equal(t, duesOf(s, d.Calls, cfg.Duration), d, about)
	}
}

// TestSharesOfARun are the first arrivals of each agent's own, and all before the end.
func TestSharesOfARun(t *testing.T) {
	s, end := loadgen.Constant(1000), 100*time.Millisecond // 100 arrivals, 25 of each
	for about, c := range map[string]struct {
		change func([]RunReply)
		end    time.Duration
		right  bool
	}{
		"all until the end":                 {func([]RunReply) {}, end, true},
		"one had drawn the next":            {func(r []RunReply) { r[2].Dues = duesOf(loadgen.Share(s, 2, 4), 26, 0) }, end, true},
		"one has drawn two more":            {func(r []RunReply) { r[2].Dues = duesOf(loadgen.Share(s, 2, 4), 27, 0) }, end, false},
		"one lacks a call":                  {func(r []RunReply) { r[2].Dues = duesOf(loadgen.Share(s, 2, 4), 24, 0) }, end, false},
		"a run that failed has no end":      {func(r []RunReply) { r[2].Dues = duesOf(loadgen.Share(s, 2, 4), 3, 0) }, 0, true},
		"one has the share of another":      {func(r []RunReply) { r[2].Dues = r[1].Dues }, end, false},
		"also where there is no end":        {func(r []RunReply) { r[2].Dues = r[1].Dues }, 0, false},
		"a call has come twice in the sums": {func(r []RunReply) { r[0].Dues.Sum += mixed(0) }, 0, false},
	} {
		replies := drawn(s, 4, 100, 0)
		c.change(replies)
		err := checkShares(s, replies, c.end)
		assert.Equal(t, c.right, err == nil, "%s: %v", about, err)
	}
	assert.NoError(t, checkShares(loadgen.ClosedLoop, make([]RunReply, 2), end), "which has no due times")
}
