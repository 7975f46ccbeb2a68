package remote

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// requests counts those of all ranks, by what they are about.
type requests struct{ meet, rosters, order, attend atomic.Int64 }

func (c *requests) count(r *http.Request) {
	kind := &c.meet
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/roster"):
		kind = &c.rosters
	case strings.HasSuffix(path, "/attend"):
		kind = &c.attend
	case strings.Contains(path, "/orders/"), strings.Contains(path, "/replies/"):
		kind = &c.order
	}
	kind.Add(1)
}

// allMeet has ranks come at the same moment, which then follow.
func allMeet(t *testing.T, addr string, ranks int) (first *Rank, others []*Other) {
	t.Helper()
	all := make([]*Rank, ranks)
	var coming sync.WaitGroup
	for rank := range all {
		coming.Go(func() {
			var err error
			all[rank], err = dial(t, addr).Come(t.Context(), t.Name(), Place{Rank: rank, Ranks: ranks})
			assert.NoError(t, err)
		})
	}
	coming.Wait()
	require.NotContains(t, all, (*Rank)(nil))
	for _, r := range all[1:] {
		t.Cleanup(func() { r.end(errors.New("the test is over")) })
		go r.Follow(patience, func(string, []byte) (any, error) { return struct{}{}, nil }) //nolint:errcheck // the end of the test
	}
	there, err := all[0].Gather(ranks, patience, func(int) {})
	require.NoError(t, err)
	return all[0], all[0].Others(there)
}

// TestRequestsGrowWithTheRanks, and no faster: each makes ten to meet and one to attend. An
// order takes four, and whoever follows asks for the next. A busy machine may need longer than
// longestWait, after which they are made again.
func TestRequestsGrowWithTheRanks(t *testing.T) {
	t.Parallel()
	for _, ranks := range []int64{3, 30, 100} {
		var made requests
		h := (&pool{config: Config{Token: secret}}).handler()
		addr := peer(t, func(w http.ResponseWriter, r *http.Request) {
			made.count(r)
			h.ServeHTTP(w, r)
		})
		first, others := allMeet(t, addr, int(ranks))
		var asked sync.WaitGroup
		for _, o := range others {
			asked.Go(func() { assert.NoError(t, o.Ask("/a", nil, &struct{}{})) })
		}
		asked.Wait()
		assert.Equal(t, 10*ranks, made.meet.Load(), "%d ranks", ranks)
		assert.LessOrEqual(t, made.rosters.Load(), ranks, "%d ranks", ranks)
		assert.LessOrEqual(t, made.order.Load(), 8*ranks, "%d ranks", ranks)
		assert.LessOrEqual(t, made.attend.Load(), 4*ranks, "%d ranks", ranks)
		t.Logf("%d ranks: %d requests to meet, %d for rosters, %d for an order, %d to attend", ranks, made.meet.Load(), made.rosters.Load(), made.order.Load(), made.attend.Load())
		require.NoError(t, first.End(""))
	}
}
