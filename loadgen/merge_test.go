package loadgen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nop is a call that does nothing.
func nop(context.Context, int) error { return nil }

// faulty returns a call that takes up to 12 ms, and fails in two ways.
func faulty() Call {
	calls := 0
	return func(context.Context, int) error {
		calls++
		time.Sleep(time.Duration(calls%97) * 123_457)
		switch {
		case calls%50 == 0:
			return errors.New("fiftieth")
		case calls%7 == 0:
			return errors.New(`"seventh", of "many"`)
		}
		return nil
	}
}

// exported returns results of runs, the same each time.
func exported(t *testing.T) map[string]*Result {
	results := map[string]*Result{}
	for name, cfg := range map[string]Config{
		"closed loop":        {Schedule: ClosedLoop, Calls: 2000},
		"failures and drops": {Schedule: Constant(500), Duration: 4 * time.Second, MaxLag: 5 * time.Millisecond},
		"few calls":          {Schedule: Constant(500), Calls: 10},
	} {
		cfg.Workers = 1
		res, err := fake(t, cfg, faulty())
		require.NoError(t, err)
		results[name] = res
	}
	return results
}

// sameResult compares two results, and warnings by their text and by whether they are
// ErrFewCalls.
func sameResult(t testing.TB, want, got *Result) {
	t.Helper()
	require.Len(t, got.Warnings, len(want.Warnings))
	for i, w := range want.Warnings {
		assert.EqualError(t, got.Warnings[i], w.Error())
		assert.Equal(t, errors.Is(w, ErrFewCalls), errors.Is(got.Warnings[i], ErrFewCalls))
	}
	a, b := want.Warnings, got.Warnings
	want.Warnings, got.Warnings = nil, nil
	assert.Equal(t, want, got)
	want.Warnings, got.Warnings = a, b
}

// TestMergeLosesNothing merges 8 runs of 1,000 calls whose times are known.
func TestMergeLosesNothing(t *testing.T) {
	for _, schedule := range []Schedule{ClosedLoop, Constant(100)} {
		var all Histogram
		var sum Result
		for seed := range 8 {
			random := rand.New(rand.NewPCG(1, uint64(seed)))
			res, err := fake(t, Config{Workers: 1, Calls: 1000, Schedule: schedule}, func(context.Context, int) error {
				d := time.Duration(random.IntN(9e6)) // shorter than the gap, so service equals response
				time.Sleep(d)
				all.Record(d, 1)
				if d%10 == 0 {
					return fmt.Errorf("of process %d", seed/2)
				}
				return nil
			})
			require.NoError(t, err)
			require.NoError(t, sum.Merge(res))
			checkSums(t, &sum)
		}
		assert.EqualValues(t, 8000, sum.Sent)
		assert.Equal(t, &all, &sum.Response)
		assert.Equal(t, &all, &sum.Service)
		assert.Equal(t, schedule == ClosedLoop, sum.Closed)
		assert.Len(t, sum.ErrorKinds, 4)
		assert.GreaterOrEqual(t, sum.ErrorKinds[0].Count, sum.ErrorKinds[3].Count)
		assert.Empty(t, sum.Warnings)
	}
}

func TestMergeOfOneIsTheSame(t *testing.T) {
	for name, res := range exported(t) {
		t.Run(name, func(t *testing.T) {
			var sum Result
			require.NoError(t, sum.Merge(res))
			sameResult(t, res, &sum)
		})
	}
}

func TestMergeTakesTheLongerAndTheSum(t *testing.T) {
	r := &Result{Elapsed: 2, MaxLag: 7, MaxBacklog: 3, Due: 5, Sent: 3, OK: 2, Failed: 1, Dropped: 2}
	require.NoError(t, r.Merge(&Result{Elapsed: 3, MaxLag: 4, MaxBacklog: 4, Due: 10, Sent: 9, OK: 5, Failed: 4, Dropped: 1}))
	r.ErrorKinds, r.Warnings = nil, nil
	want := &Result{Elapsed: 3, MaxLag: 7, MaxBacklog: 7, Due: 15, Sent: 12, OK: 7, Failed: 5, Dropped: 3}
	assert.Equal(t, want, r)
	require.NoError(t, r.Merge(nil))
	assert.Equal(t, want, r, "nil adds nothing")
}

// TestMergedSeriesHaveAllCalls, also where runs are of several lengths, or one call came
// late; or there is none.
func TestMergedSeriesHaveAllCalls(t *testing.T) {
	run := func(calls int64, slow time.Duration) *Result {
		n := int64(0)
		res, err := fake(t, Config{Workers: 2, Schedule: Constant(100), Calls: calls}, func(context.Context, int) error {
			if n++; n == calls {
				time.Sleep(slow)
			}
			return nil
		})
		require.NoError(t, err)
		return res
	}
	short, long, late, none, stripped := run(10, 0), run(450, 0), run(120, 4*time.Second), new(Result), run(120, 0)
	stripped.Series = nil
	for about, c := range map[string]struct {
		parts  []*Result
		points int
	}{
		"a short run and a long one": {[]*Result{short, long}, 5},
		"a call that came late":      {[]*Result{long, late}, 6},
		"a result without calls":     {[]*Result{none, late, none}, 6},
		"one without Series":         {[]*Result{long, stripped, short}, 0},
	} {
		var sum Result
		for _, p := range c.parts {
			require.NoError(t, p.check(), about)
			require.NoError(t, sum.Merge(p), about)
			require.NoError(t, sum.check(), about)
		}
		assert.Len(t, sum.Series, c.points, about)
	}
	most := &Result{Due: maxCount, Dropped: maxCount}
	assert.ErrorContains(t, most.Merge(&Result{Due: 1, Dropped: 1}), "results of more than 281474976710656 calls cannot be merged")
}

func TestMergeErrorKinds(t *testing.T) {
	r := Result{ErrorKinds: []ErrorKind{{"often", 5}, {"b", 1}}}
	require.NoError(t, r.Merge(&Result{ErrorKinds: []ErrorKind{{"often", 6}, {"then often", 11}, {"a", 1}}}))
	assert.Equal(t, []ErrorKind{{"often", 11}, {"then often", 11}, {"a", 1}, {"b", 1}}, r.ErrorKinds)
}

func TestMergeSeries(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name       string
		a, b, want []Point
	}{
		{"none", nil, nil, nil},
		{
			"percentiles of both cannot be had",
			[]Point{{Start: 0, Length: s, OK: 2, Failed: 1, P50: 3, P90: 3, P99: 4, Max: 5}},
			[]Point{{Start: 0, Length: s / 2, OK: 7, P50: 1, P90: 2, P99: 2, Max: 9}},
			[]Point{{Start: 0, Length: s, OK: 9, Failed: 1, Max: 9}},
		},
		{
			"those of the only side with calls stay",
			[]Point{{Start: 0, OK: 2, P50: 3, P99: 4, Max: 5}, {Start: s}},
			[]Point{{Start: 0}, {Start: s, Failed: 1, P50: 6, P90: 6, P99: 6, Max: 6}},
			[]Point{{Start: 0, OK: 2, P50: 3, P99: 4, Max: 5}, {Start: s, Failed: 1, P50: 6, P90: 6, P99: 6, Max: 6}},
		},
		{
			"one is longer",
			[]Point{{Start: 0, OK: 1, P50: 1}},
			[]Point{{Start: 0}, {Start: s, OK: 2, P50: 2}},
			[]Point{{Start: 0, OK: 1, P50: 1}, {Start: s, OK: 2, P50: 2}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, sides := range [][2][]Point{{c.a, c.b}, {c.b, c.a}} {
				r := Result{Series: sides[0]}
				require.NoError(t, r.Merge(&Result{Series: sides[1]}))
				assert.Equal(t, c.want, r.Series)
			}
		})
	}
}

func TestMergeDoesNotChangeTheOther(t *testing.T) {
	results := exported(t)
	want := exported(t)["failures and drops"]
	sum, other := Result{}, results["failures and drops"]
	require.NoError(t, sum.Merge(other))
	require.NoError(t, sum.Merge(results["few calls"]))
	require.NoError(t, sum.Merge(other))
	sameResult(t, want, other)
}

func TestMergeJudgesFewCallsAnew(t *testing.T) {
	part := func(calls int64) *Result {
		r := &Result{Due: calls, Sent: calls, OK: calls, Warnings: []error{fmt.Errorf("%w: stale", ErrFewCalls), errors.New("slow")}}
		r.Response.Record(1, calls)
		return r
	}
	var sum Result
	require.NoError(t, sum.Merge(part(600)))
	require.NoError(t, sum.Merge(part(399)))
	require.Len(t, sum.Warnings, 3)
	assert.ErrorIs(t, sum.Warnings[2], ErrFewCalls)
	assert.ErrorContains(t, sum.Warnings[2], "p99 rests on 999, it needs 1000")
	require.NoError(t, sum.Merge(part(1)))
	assert.Equal(t, []error{errors.New("slow"), errors.New("slow"), errors.New("slow")}, sum.Warnings)
}

func TestMergeRefusesWhatDoesNotBelongTogether(t *testing.T) {
	for _, c := range []struct {
		about string
		a, b  *Result
		say   string
	}{
		{"closed and open", &Result{Closed: true, Due: 1}, &Result{Due: 1}, "a closed and of an open loop"},
		{"open and closed", &Result{Due: 1}, &Result{Closed: true, Due: 1}, "a closed and of an open loop"},
		{"a run that made no calls has a loop", &Result{Series: []Point{{}}}, &Result{Closed: true}, "a closed and of an open loop"},
		{
			"seconds and minutes",
			&Result{Series: []Point{{}, {Start: time.Second}}},
			&Result{Series: []Point{{}, {Start: time.Minute}}},
			"intervals of 1s and of 1m0s",
		},
	} {
		t.Run(c.about, func(t *testing.T) {
			before, err := json.Marshal(c.a)
			require.NoError(t, err)
			assert.ErrorContains(t, c.a.Merge(c.b), c.say)
			after, err := json.Marshal(c.a)
			require.NoError(t, err)
			assert.JSONEq(t, string(before), string(after), "it stays as it was")
		})
	}
}
