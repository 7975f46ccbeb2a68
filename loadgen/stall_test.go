package loadgen

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen/internal/cpu"
	"github.com/rpcbench/rpcbench/loadgen/internal/ledger"
)

// TestTheLongestCallIsTold where p99 does not show it, with when it was. A closed loop that
// it kept from calling for 1 % of the run and 100 ms is warned of.
func TestTheLongestCallIsTold(t *testing.T) {
	down := errors.New("down")
	for _, c := range []struct {
		about    string
		schedule Schedule
		calls    int64
		each     time.Duration
		slow     time.Duration // of call 1000
		err      error         // of that
		warmup   time.Duration
		at       time.Duration // when call 1000 ends, from the start of the run
		told     string        // in the report; "" if not
		warned   string
	}{
		{
			"a reply of 3 s in a closed loop", ClosedLoop, 4600, time.Millisecond, 3 * time.Second, nil, 0, 3999 * time.Millisecond,
			"  3000 × p99, at 4s",
			"percentiles do not show the longest call: it took 3s, 3000 × p99, and ended 4s after the start, in a run of 7.6s; an open loop shows all that waited",
		},
		{"a call that fails after it", ClosedLoop, 4600, time.Millisecond, 3 * time.Second, down, 0, 3999 * time.Millisecond, "  3000 × p99, at 4s", "it took 3s"},
		{"a warm-up is before the start", ClosedLoop, 4600, time.Millisecond, 3 * time.Second, nil, 500 * time.Millisecond, 3499 * time.Millisecond, "  3000 × p99, at 3.5s", "3.5s after the start"},
		{"less than 100 times p99", ClosedLoop, 4600, 10 * time.Millisecond, 900 * time.Millisecond, nil, 0, 10890 * time.Millisecond, "", ""},
		{"a pause of a runtime, of less than 100 ms", ClosedLoop, 4600, 100 * time.Microsecond, 90 * time.Millisecond, nil, 0, 189900 * time.Microsecond, "  900 × p99, at 200ms", ""},
		{"less than 1 % of the run", ClosedLoop, 46000, time.Millisecond, 200 * time.Millisecond, nil, 0, 1199 * time.Millisecond, "  200 × p99, at 1.2s", ""},
		{"some 1000 calls", ClosedLoop, 1001, time.Millisecond, time.Second, nil, 0, 1999 * time.Millisecond, "  1000 × p99, at 2s", "it took 1s"},
		{"in an open loop, with a worker for the calls after it, the percentiles are right", Constant(1000), 4600, 100 * time.Microsecond, 500 * time.Millisecond, nil, 0, 1499 * time.Millisecond, "× p99, at 1.5s", ""},
	} {
		var n atomic.Int64
		workers := 1
		if c.schedule != ClosedLoop {
			workers = 2
		}
		res, err := fake(t, Config{Workers: workers, Schedule: c.schedule, Calls: c.calls, Warmup: c.warmup}, func(context.Context, int) error {
			if n.Add(1) == 1000 {
				time.Sleep(c.slow)
				return c.err
			}
			time.Sleep(c.each)
			return nil
		})
		require.NoError(t, err, c.about)
		assert.InDelta(t, c.at, res.MaxAt, float64(ledger.LongestStep), c.about)
		assert.Equal(t, c.told != "", strings.Contains(res.String(), "× p99, at"), c.about)
		assert.Contains(t, res.String(), c.told, c.about)
		err = errors.Join(res.Warnings...)
		assert.Equal(t, c.warned != "", errors.Is(err, ErrStall), c.about)
		if c.warned != "" {
			assert.ErrorContains(t, err, c.warned, c.about)
		}
	}
}

// TestWhenTheLongestCallEndedIsMerged, and is in JSON.
func TestWhenTheLongestCallEndedIsMerged(t *testing.T) {
	of := func(longest, at time.Duration) *Result {
		r := &Result{Closed: true, Elapsed: time.Second, Due: 1, Sent: 1, OK: 1, MaxAt: at}
		r.Response.Record(longest, 1)
		r.Service.Record(longest, 1)
		return r
	}
	short, long, empty := of(time.Millisecond, 300*time.Millisecond), of(time.Second/2, 700*time.Millisecond), &Result{Closed: true}
	for about, c := range map[string]struct{ a, b, want *Result }{
		"the longer comes last":        {short, long, long},
		"and first":                    {long, short, long},
		"a result without calls first": {empty, short, short},
		"and last":                     {short, empty, short},
	} {
		var sum, read Result
		require.NoError(t, sum.Merge(c.a))
		require.NoError(t, sum.Merge(c.b))
		assert.Equal(t, c.want.MaxAt, sum.MaxAt, about)
		data, err := json.Marshal(&sum)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &read))
		assert.Equal(t, c.want.MaxAt, read.MaxAt, about)
	}
}

// TestWhatTookTheCPUs of a run of 10 s on one CPU.
func TestWhatTookTheCPUs(t *testing.T) {
	for _, c := range []struct {
		about          string
		closed         bool
		others, stolen time.Duration
		want           string
	}{
		{"nobody", false, 0, 0, ""},
		{"others, of an open loop", false, 2 * time.Second, 0, "the CPUs were full: other processes took 20 %, the callee's among them if it is here"},
		{"others, of a closed one: the callee may be one of them", true, 2 * time.Second, 0, ""},
		{"the host, for long enough that p99 of an open loop is wrong", false, 0, 300 * time.Millisecond, "the machine's host took CPU time away: 3 %"},
		{"which that of a closed one is not", true, 0, 300 * time.Millisecond, ""},
		{"the host, for long", true, 0, 1100 * time.Millisecond, "the machine's host took CPU time away: 11 %"},
	} {
		after := cpu.Usage{Known: true, At: 10 * time.Second, CPUs: 1, Busy: 10*time.Second - c.stolen, Own: 10*time.Second - c.stolen - c.others, Stolen: c.stolen}
		assert.Equal(t, c.want, strings.Join(texts(contended(c.closed, after, cpu.Usage{Known: true, CPUs: 1})), "; "), c.about)
	}
}

func texts(w warnings) (list []string) {
	for _, one := range w {
		list = append(list, one.Error())
	}
	return list
}
