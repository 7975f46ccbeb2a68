package loadgen

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shop is a mix whose calls take different times, one of which often fails.
func shop(made map[string]int64) Mix {
	var mu sync.Mutex
	call := func(name string, takes time.Duration, err error) Call {
		return func(context.Context, int) error {
			mu.Lock()
			made[name]++
			mu.Unlock()
			time.Sleep(takes)
			return err
		}
	}
	return Mix{Calls: []MixedCall{
		{"list", 6, call("list", time.Millisecond, nil)},
		{"show", 3, call("show", 2*time.Millisecond, nil)},
		{"buy", 1, call("buy", 5*time.Millisecond, errors.New("sold out"))},
	}}
}

func fakeMix(t *testing.T, m Mix, cfg Config) (res *Result) {
	cfg.RuntimeTimers = true
	synctest.Test(t, func(t *testing.T) {
		var err error
		res, err = m.Run(t.Context(), cfg)
		require.NoError(t, err)
	})
	checkSums(t, res)
	checkPoints(t, res)
	return res
}

// checkPoints: each interval has the calls of all parts, and the longest of them.
func checkPoints(t *testing.T, res *Result) {
	sum := make([]Point, len(res.Series))
	for _, p := range res.Parts {
		checkSums(t, p.Result)
		require.Len(t, p.Result.Series, len(sum), p.Name)
		for i, q := range p.Result.Series {
			sum[i].Start, sum[i].Length = q.Start, q.Length
			sum[i].OK += q.OK
			sum[i].Failed += q.Failed
			sum[i].Max = max(sum[i].Max, q.Max)
		}
	}
	for i, all := range res.Series {
		assert.Equal(t, Point{Start: all.Start, Length: all.Length, OK: all.OK, Failed: all.Failed, Max: all.Max}, sum[i], "interval %d", i)
	}
	assert.NoError(t, res.check())
}

func TestMix(t *testing.T) {
	for _, c := range []struct {
		about string
		cfg   Config
	}{
		{"every arrival of an open loop makes one call", Config{Workers: 50, Schedule: Constant(1000), Calls: 10_000}},
		{"a closed loop deals its calls out in the same way", Config{Workers: 1, Schedule: ClosedLoop, Calls: 10_000}},
		{"a dropped arrival counts for the call that it would have made", Config{Workers: 1, Schedule: Constant(1000), Calls: 10_000, MaxLag: 10 * time.Millisecond}},
		{"so does an arrival that was not sent in time", Config{Workers: 1, Schedule: Constant(10_000), Duration: time.Second, Drain: -1}},
		{"a call that times out counts in its part", Config{Workers: 20, Schedule: Constant(1000), Calls: 10_000, Timeout: time.Second}},
		{"intervals may be short", Config{Workers: 20, Schedule: Constant(1000), Calls: 10_000, Interval: 10 * time.Millisecond}},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			made := map[string]int64{}
			checkParts(t, fakeMix(t, shop(made), c.cfg), made)
		})
	}
}

func checkParts(t *testing.T, res *Result, made map[string]int64) {
	var sum Result
	shares := []float64{.6, .3, .1}
	require.Len(t, res.Parts, 3)
	for i, p := range res.Parts {
		assert.Equal(t, made[p.Name], p.Result.Sent, p.Name)
		assert.Equal(t, p.Result.Due, p.Result.Sent+p.Result.Dropped)
		share := float64(p.Result.Due) / float64(res.Due)
		assert.InDelta(t, shares[i], share, 4*math.Sqrt(.25/float64(res.Due)), p.Name)
		require.NoError(t, sum.Merge(p.Result))
	}
	assert.Equal(t, []int64{res.Due, res.Sent, res.OK, res.Failed, res.Dropped}, []int64{sum.Due, sum.Sent, sum.OK, sum.Failed, sum.Dropped})
	assert.Equal(t, res.Response.Quantile(.99), sum.Response.Quantile(.99))
	assert.Equal(t, res.Lag.Mean(), sum.Lag.Mean())
	buy := res.Parts[2].Result
	assert.Equal(t, buy.Sent, buy.Failed)
	assert.Equal(t, []ErrorKind{{"sold out", buy.Failed}}, buy.ErrorKinds)
}

// TestPartsInTime: a call that is slow in one interval shows there, and no other call does.
func TestPartsInTime(t *testing.T) {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(1, 2))
	takes := func(at func() time.Duration) Call {
		return func(context.Context, int) error {
			mu.Lock()
			d := time.Duration(float64(at()) * (.5 + random.Float64()))
			mu.Unlock()
			time.Sleep(d)
			return nil
		}
	}
	var begun time.Time
	m := Mix{Calls: []MixedCall{
		{"steady", 1, takes(func() time.Duration { return time.Millisecond })},
		{"slow in the tenth", 1, takes(func() time.Duration {
			if time.Since(begun)/time.Second == 10 {
				return 100 * time.Millisecond
			}
			return time.Millisecond
		})},
		{"seldom", .0005, takes(func() time.Duration { return time.Millisecond })},
	}}
	start := func() { mu.Lock(); defer mu.Unlock(); begun = time.Now() }
	res := fakeMix(t, m, Config{Workers: 200, Schedule: Poisson(1000, 1), Warmup: time.Second, Duration: 30 * time.Second, OnStart: start})
	steady, slow, seldom := res.Parts[0].Result, res.Parts[1].Result, res.Parts[2].Result
	for i, p := range slow.Series[:30] {
		assert.Equal(t, i == 10, p.P50 > 10*time.Millisecond, "interval %d has a p50 of %v", i, p.P50)
		assert.Less(t, steady.Series[i].Max, 2*time.Millisecond)
	}
	assert.InDelta(t, 10.5, slow.MaxAt.Seconds(), .7)
	assert.Equal(t, res.MaxAt, slow.MaxAt)
	var known []float64
	for _, c := range steady.Confidence {
		known = append(known, c.Quantile)
		at := steady.Response.Quantile(c.Quantile)
		assert.True(t, c.Low <= at && at <= c.High, "%v", c)
	}
	assert.Equal(t, []float64{.5, .99, .999}, known)
	assert.Positive(t, seldom.Sent)
	assert.Empty(t, seldom.Confidence, "of %d calls nothing is known", seldom.Sent)
}

// TestPick: the number of a call chooses, in any loop and for calls that are dropped.
func TestPick(t *testing.T) {
	for _, cfg := range []Config{
		{Workers: 3, Schedule: ClosedLoop, Calls: 1000},
		{Workers: 3, Schedule: Constant(100), Calls: 1000},
		{Workers: 1, Schedule: Constant(1000), Calls: 1000, MaxLag: time.Millisecond},
	} {
		made := map[string]int64{}
		m := shop(made)
		for i := range m.Calls {
			m.Calls[i].Weight = 0
		}
		m.Pick = func(number int64) int { return int(number % 10 / 8) }
		res := fakeMix(t, m, cfg)
		for i, want := range []int64{800, 200, 0} {
			part := res.Parts[i]
			assert.Equal(t, want, part.Result.Due)
			assert.Equal(t, made[part.Name], part.Result.Sent)
		}
	}
}

// TestAPickThatFails ends the run, wherever it is asked.
func TestAPickThatFails(t *testing.T) {
	for about, pick := range map[string]func(int64) int{
		"it panics":                   func(n int64) int { return map[bool]int{}[n < 50 || func() bool { panic("lost") }()] },
		"it returns no index":         func(n int64) int { return int(n / 50 * 3) },
		"it returns a negative index": func(n int64) int { return int(-(n / 50)) },
	} {
		for _, cfg := range []Config{
			{Workers: 2, Schedule: ClosedLoop, Calls: 1000},
			{Workers: 2, Schedule: Constant(100), Calls: 1000},
			{Workers: 1, Schedule: Constant(10_000), Duration: 50 * time.Millisecond, Drain: -1}, // asked for those that are dropped
		} {
			cfg.RuntimeTimers = true
			m := shop(map[string]int64{})
			m.Pick = pick
			synctest.Test(t, func(t *testing.T) {
				res, err := m.Run(t.Context(), cfg)
				var failed *PanicError
				require.ErrorAs(t, err, &failed, about)
				assert.Equal(t, "Pick", failed.Hook)
				require.NotNil(t, res)
				assert.NoError(t, res.check())
				assert.Equal(t, res.Due, res.Sent+res.Dropped)
			})
		}
	}
}

// TestAMixIsTheSameForAnyWorkers, and another for another seed.
func TestAMixIsTheSameForAnyWorkers(t *testing.T) {
	due := func(workers int, seed uint64) (list []int64) {
		m := shop(map[string]int64{})
		m.Seed = seed
		for _, p := range fakeMix(t, m, Config{Workers: workers, Schedule: Constant(100), Calls: 1000}).Parts {
			list = append(list, p.Result.Due)
		}
		return list
	}
	assert.Equal(t, due(1, 0), due(10, 0))
	assert.NotEqual(t, due(1, 0), due(1, 1))
}

func TestPartsAreMergedAndKept(t *testing.T) {
	res := fakeMix(t, shop(map[string]int64{}), Config{Workers: 50, Schedule: Constant(1000), Calls: 3000})
	data, err := json.Marshal(res)
	require.NoError(t, err)
	var read Result
	require.NoError(t, json.Unmarshal(data, &read))
	require.NoError(t, read.Merge(res))
	require.Len(t, read.Parts, 3)
	for i, p := range read.Parts {
		assert.Equal(t, res.Parts[i].Name, p.Name)
		assert.Equal(t, 2*res.Parts[i].Result.OK, p.Result.OK)
		require.Len(t, p.Result.Series, 4)
		assert.Equal(t, 2*res.Parts[i].Result.Series[1].OK, p.Result.Series[1].OK)
		assert.Zero(t, p.Result.Series[1].P50)
		assert.Equal(t, res.Parts[i].Result.MaxAt, p.Result.MaxAt)
		assert.Empty(t, p.Result.Confidence)
	}
	checkPoints(t, &read)
	whole := fakeMix(t, shop(map[string]int64{}), Config{Workers: 50, Schedule: Constant(1000), Calls: 4000})
	require.NoError(t, read.Merge(whole), "a longer one")
	checkPoints(t, &read)
	whole.Series = nil
	require.NoError(t, read.Merge(whole))
	assert.NoError(t, read.check(), "without the points of the whole there are none of parts")
}

// TestResultsOfAMixAreReadAsWritten, with all that its parts have.
func TestResultsOfAMixAreReadAsWritten(t *testing.T) {
	res := fakeMix(t, shop(map[string]int64{}), Config{Workers: 50, Schedule: Constant(1000), Calls: 30_000})
	require.NotEmpty(t, res.Parts[0].Result.Confidence)
	data, err := json.Marshal(res)
	require.NoError(t, err)
	var read, sum Result
	require.NoError(t, json.Unmarshal(data, &read))
	sameResult(t, res, &read)
	require.NoError(t, sum.Merge(res))
	sameResult(t, res, &sum)
}

func TestBadMix(t *testing.T) {
	for _, c := range []struct {
		about string
		mix   Mix
		say   string
	}{
		{"nothing to make", Mix{}, "needs at least one call"},
		{"a call that is nil", Mix{Calls: []MixedCall{{Name: "a", Weight: 1}}}, `Calls[0], "a": the call is nil`},
		{"a weight of 0", Mix{Calls: []MixedCall{{Name: "a", Call: nop}}}, "Weight is 0: it must be more than 0"},
		{"a weight that is no number", Mix{Calls: []MixedCall{{"a", math.NaN(), nop}}}, "Weight is NaN"},
		{"no name", Mix{Calls: []MixedCall{{"", 1, nop}}}, "each its own"},
		{"one name twice", Mix{Calls: []MixedCall{{"a", 1, nop}, {"a", 1, nop}}}, "each its own"},
		{"Pick needs names all the same", Mix{Calls: []MixedCall{{"", 0, nop}}, Pick: func(int64) int { return 0 }}, "each its own"},
	} {
		t.Run(c.about, func(t *testing.T) {
			res, err := c.mix.Run(t.Context(), Config{Workers: 1, Schedule: ClosedLoop, Calls: 1})
			assert.Nil(t, res)
			assert.ErrorContains(t, err, c.say)
		})
	}
}

func TestBadParts(t *testing.T) {
	for about, text := range map[string]string{
		"no result":      `{"parts":[{"name":"a"}]}`,
		"one name twice": `{"parts":[{"name":"a","result":{}},{"name":"a","result":{}}]}`,
		"parts of parts": `{"parts":[{"name":"a","result":{"parts":[{"name":"b","result":{}}]}}]}`,
		"another loop":   `{"parts":[{"name":"a","result":{"closed":true}}]}`,
	} {
		var res Result
		assert.ErrorContains(t, json.Unmarshal([]byte(text), &res), `part "a"`, about)
	}
}
