package loadgen

import (
	"context"
	"encoding/json"
	"errors"
	"math"
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
	return res
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
	}
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
