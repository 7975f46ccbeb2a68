package call

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

func TestRetryIsRead(t *testing.T) {
	for _, c := range []struct {
		text string
		want Retry
	}{
		{"none", Retry{}},
		{"3", Retry{3, 10 * time.Millisecond}},
		{"2:0s", Retry{2, 0}},
		{"100:1s", Retry{100, time.Second}},
	} {
		p, err := ReadRetry(c.text)
		assert.NoError(t, err, c.text)
		assert.Equal(t, c.want, p, c.text)
	}
	for _, bad := range []string{"", "0", "1", "-3", "101", "3:", "3:-1ms", "3:2s", "3:10", "x", "none:1ms", "3,10ms"} {
		_, err := ReadRetry(bad)
		assert.ErrorContains(t, err, fmt.Sprintf("%q", bad), "it says which value is wrong")
	}
}

func TestTheWaitBeforeAnAttempt(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		about   string
		policy  Retry
		attempt int
		chance  float64
		want    time.Duration
	}{
		{"the second attempt waits up to the backoff", Retry{5, 10 * ms}, 2, 1, 10 * ms},
		{"half of that by chance", Retry{5, 10 * ms}, 2, .5, 5 * ms},
		{"or not at all", Retry{5, 10 * ms}, 2, 0, 0},
		{"the third waits up to twice as long", Retry{5, 10 * ms}, 3, 1, 20 * ms},
		{"the fifth up to eight times", Retry{5, 10 * ms}, 5, 1, 80 * ms},
		{"nobody waits longer than a second", Retry{100, 300 * ms}, 90, 1, time.Second},
		{"without a backoff nobody waits", Retry{5, 0}, 5, 1, 0},
	} {
		assert.Equal(t, c.want, c.policy.wait(c.attempt, c.chance), c.about)
	}
}

func TestACallIsRepeated(t *testing.T) {
	down := errors.New("down")
	wrong := fmt.Errorf("framework: %w", ErrWrongReply)
	for _, c := range []struct {
		about    string
		answers  []error // of the attempts; nil is success
		want     error
		attempts int
	}{
		{"one that succeeds is made once", []error{nil}, nil, 1},
		{"one that fails is made again", []error{down, nil}, nil, 2},
		{"until no attempt is left", []error{down, down, down, nil}, down, 3},
		{"a wrong reply is not hidden by a right one", []error{wrong, nil}, ErrWrongReply, 1},
		{"not even after a failure", []error{down, wrong, nil}, ErrWrongReply, 2},
	} {
		made, counts := 0, make(Repeats, 2)
		call := Retry{tries: 3}.Over(func(_ context.Context, worker int) error {
			assert.Equal(t, 1, worker)
			made++
			return c.answers[made-1]
		}, 0, counts)
		assert.ErrorIs(t, call(t.Context(), 1), c.want, c.about)
		assert.Equal(t, c.attempts, made, c.about)
		assert.EqualValues(t, made-1, counts.Sum(), c.about)
	}
}

// TestEachAttemptHasTheTimeout: a call whose attempts all hang takes the timeout of each, and
// the waits between them.
func TestEachAttemptHasTheTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := func(ctx context.Context, _ int) error { <-ctx.Done(); return ctx.Err() }
		begin := time.Now()
		err := Retry{4, 0}.Over(hang, 50*time.Millisecond, make(Repeats, 1))(t.Context(), 0)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, 200*time.Millisecond, time.Since(begin))

		begin = time.Now()
		_ = Retry{3, 40 * time.Millisecond}.Over(hang, time.Second, make(Repeats, 1))(t.Context(), 0)
		assert.Less(t, time.Since(begin), 3*time.Second+120*time.Millisecond)
	})
}

// TestTheEndOfARunEndsRepeats: a call waits for no further attempt when its context ends.
func TestTheEndOfARunEndsRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		made := 0
		err := Retry{100, time.Second}.Over(func(context.Context, int) error { made++; time.Sleep(time.Millisecond); return errors.New("down") }, 0, make(Repeats, 1))(ctx, 0)
		assert.EqualError(t, err, "down")
		assert.Equal(t, 1, made)
	})
}

func TestCallsThatCannotBeRepeatedRefuseIt(t *testing.T) {
	l := EchoLeaf(1, 1)
	again := plan.Case{Benchmark: &plan.Benchmark{Name: "Echo"}, Leaf: l}
	l.NoRetry = "a message has its number"
	once := plan.Case{Benchmark: &plan.Benchmark{Name: "Stream"}, Leaf: l}
	assert.NoError(t, Retry{tries: 3}.Check([]plan.Case{again}))
	assert.NoError(t, Retry{}.Check([]plan.Case{again, once}))
	err := Retry{tries: 3}.Check([]plan.Case{again, once})
	require.Error(t, err)
	assert.Contains(t, err.Error(), "-retry=3: BenchmarkStream")
	assert.Contains(t, err.Error(), "cannot repeat its calls: a message has its number")
}
