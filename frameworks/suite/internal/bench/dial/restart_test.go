package dial

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ledger"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
)

const msec = time.Millisecond

// restarted is a call that fails for a time.
func restarted(d time.Duration) func(context.Context) error {
	begin := time.Now()
	return func(context.Context) error {
		if time.Since(begin) < d {
			return errors.New("refused")
		}
		return nil
	}
}

func TestComebacks(t *testing.T) {
	hangs := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for _, c := range []struct {
		about string
		call  func() func(context.Context) error
		want  comeback
	}{
		{"a client that connects as soon as the server is up", func() func(context.Context) error { return restarted(500 * msec) }, comeback{back: true}},
		{"a server that answers before it says that it is up", func() func(context.Context) error { return restarted(400 * msec) }, comeback{back: true, early: true}},
		{"one that takes 230 ms fails once in each", func() func(context.Context) error { return restarted(730 * msec) }, comeback{back: true, took: 230 * msec, failed: 229}},
		{"one that does not come back", func() func(context.Context) error { return restarted(time.Hour) }, comeback{failed: 9999}},
		{"one whose call does not end", func() func(context.Context) error { return hangs }, comeback{last: load.ErrStuck}},
	} {
		synctest.Test(t, func(t *testing.T) {
			killed := time.Now()
			up := killed.Add(500 * msec)
			calls := begin(c.call())
			require.NoError(t, calls.await(time.Until(up.Add(10*time.Second-msec/2))), c.about)
			got := calls.comeback(killed, up)
			assert.NoError(t, calls.wrong(), c.about)
			assert.Equal(t, 500*msec, got.down, c.about)
			if c.want.last == nil {
				c.want.last = errors.New("refused")
			}
			c.want.down = got.down
			if !c.want.back {
				got.took = 0
			}
			assert.Equal(t, c.want, got, c.about)
		})
	}
}

func TestACallerThatCannotBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		calls := begin(func(context.Context) error { <-end; return nil })
		assert.ErrorIs(t, calls.await(time.Second), load.ErrStuck)
		close(end)
	})
}

func TestAWrongReplyIsNoComeback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := begin(func(context.Context) error { return call.ErrWrongReply })
		require.NoError(t, calls.await(time.Second))
		assert.ErrorIs(t, calls.wrong(), call.ErrWrongReply)
		assert.Len(t, calls.failed, 1)
	})
}

func TestMetricsOfComebacks(t *testing.T) {
	never := comeback{down: 500 * msec, last: errors.New("shut\ndown"), failed: 9000}
	back := func(took time.Duration, failed int, down time.Duration) comeback {
		return comeback{back: true, took: took, failed: failed, down: down}
	}
	for _, c := range []struct {
		about   string
		all     comebacks
		want    ledger.Metrics
		unknown string
		doubts  []string
	}{
		{
			"the median, the longest and the mean of failed calls",
			comebacks{back(30, 3, 500*msec), back(10, 0, 500*msec), back(20, 6, 500*msec)},
			ledger.Metrics{"reconnects": 3, "reconnect-ns": 20, "max-ns": 30, "failed-calls": 3},
			"", nil,
		},
		{"between two is their middle", comebacks{back(10, 0, 0), back(20, 1, 0)}, ledger.Metrics{"reconnects": 2, "reconnect-ns": 15, "max-ns": 20, "failed-calls": .5}, "", nil},
		{
			"one that did not come back has no time",
			comebacks{never},
			ledger.Metrics{"reconnects": 0},
			`of how long a client takes to reconnect: it had not 10s after the server was up again: its calls fail with: shut\ndown`, nil,
		},
		{
			"one that did not come back later",
			comebacks{back(10, 2, 500*msec), never},
			ledger.Metrics{"reconnects": 1, "reconnect-ns": 10, "max-ns": 10, "failed-calls": 2},
			"",
			[]string{`after restart 2 the client did not reconnect: it had not 10s after the server was up again: its calls fail with: shut\ndown`},
		},
		{
			"a server that takes long to start",
			comebacks{back(10, 0, 700*msec), back(10, 0, 500*msec)},
			ledger.Metrics{"reconnects": 2, "reconnect-ns": 10, "max-ns": 10, "failed-calls": 0},
			"",
			[]string{"the server was down for up to 700ms, as it took so long to start"},
		},
		{
			"a server that answers before it is up",
			comebacks{{back: true, early: true, down: 500 * msec}, back(10, 0, 500*msec)},
			ledger.Metrics{"reconnects": 2, "reconnect-ns": 5, "max-ns": 10, "failed-calls": 0},
			"",
			[]string{"after 1 of 2 restarts a call succeeded before the server had started in full, which counts as no time"},
		},
	} {
		got := ledger.Metrics{}
		for _, m := range c.all.metrics() {
			got[m.Unit] = m.Value
		}
		c.want["errors"], c.want["ns/op"] = 0, 0
		assert.Equal(t, c.want, got, c.about)
		assert.Equal(t, c.unknown, c.all.unknown(10*time.Second), c.about)
		assert.Equal(t, c.doubts, c.all.doubts(500*msec, 10*time.Second), c.about)
	}
}
