package phase

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig/rigtest"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tide"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// queue handles one call after the other, each in pace.
type queue struct {
	pace time.Duration
	free atomic.Int64 // when it has handled all calls so far, in Unix nanoseconds
	made atomic.Int64
}

func (q *queue) call(context.Context, int) error {
	q.made.Add(1)
	now := time.Now().UnixNano()
	for {
		free := q.free.Load()
		end := max(now, free) + int64(q.pace)
		if q.free.CompareAndSwap(free, end) {
			time.Sleep(time.Duration(end - now))
			return nil
		}
	}
}

// bed is a testbed of a rate against a call, and its lines.
type bed struct {
	*rig.Testbed
	leaves []plan.Leaf
	bench  *plan.Benchmark
}

// newBed is to be called in a bubble of fake time.
func newBed(t *testing.T, text string, calls func(context.Context, int) error) bed {
	t.Helper()
	r, err := tide.Read(text)
	require.NoError(t, err)
	o := plan.NewOptions()
	o.FakeTime, o.Arrivals, o.Workers = true, "constant", 10_000
	b := bed{leaves: Leaves(call.EchoOf(plan.Target{}, plan.Size{Request: 64, Reply: 64}), o, r.Tide), bench: &plan.Benchmark{Name: "Rate"}}
	b.Testbed = rigtest.BedOf(server.Given{}, b.caseOf(0))
	b.Rig.Options = o
	first := b.leaves[0].(leaf)
	job, err := first.prepare(func(context.Context, framework.Client, call.Requests) (call.Job, error) {
		return call.Job{Call: calls}, nil
	})(t.Context(), nil, call.Requests{})
	require.NoError(t, err)
	b.Load = load.OfJob(job, 0)
	return b
}

func (b bed) caseOf(i int) plan.Case {
	c := plan.Case{Benchmark: b.bench, Spec: b.leaves[i].Common(), Leaf: b.leaves[i]}
	c.Servers = 1
	return c
}

// named is a benchmark with a name.
type named struct {
	rigtest.Bench
	name string
}

func (n named) Name() string { return n.name }

// line is what a line says in a round of n calls.
func (b bed) line(t *testing.T, i, n int) loadbench.Values {
	t.Helper()
	v := loadbench.Values{}
	require.NoError(t, b.Measure(named{rigtest.Bench{Values: v}, b.caseOf(i).Keys}, n, b.caseOf(i)))
	return v
}

// TestAQueueThatDrains: a server answers 1,000 calls a second, and 1,200 are due in the second
// of three steps of 10 s. The queue is 2,000 calls long at its end, which takes 2 s to answer.
// In the third step 500 calls a second are due, so that it shrinks by half a second in a second
// and is empty after 4 s.
func TestAQueueThatDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{pace: time.Millisecond}
		b := newBed(t, "500,1200,500@10s", q.call)
		for i, want := range []map[string]float64{
			{"offered/s": 22_000. / 30, "errors": 0, "dropped": 0},
			{"offered/s": 500, "calls/s": 500, "p50-ns": 1e6, "errors": 0},
			{"offered/s": 1200, "calls/s": 1000, "p50-ns": 1e9, "p99-ns": 1.98e9, "lag-p99-ns": 1, "errors": 0},
			{"offered/s": 500, "calls/s": 700, "p50-ns": 1e6, "settle-ns": 4e9, "errors": 0},
		} {
			v := b.line(t, i, 1)
			for unit, value := range want {
				assert.Contains(t, v, unit, i)
				assert.InDelta(t, value, v[unit], value*.01+1, "%d: %s", i, unit)
			}
			_, settles := want["settle-ns"]
			assert.Equal(t, settles, v["settle-ns"] > 0, i)
		}
		assert.EqualValues(t, 22_000, q.made.Load(), "all lines are of one run")
		var text strings.Builder
		assert.Zero(t, b.Rig.Ledger.Close(&text, false))
		assert.Contains(t, text.String(), "/phase=2of3: settle-ns: calls have not settled: their times still change in the second half of the phase")
	})
}

// TestEachCountHasARun: package testing measures a line -count times before the next line, in
// rounds of more and more calls.
func TestEachCountHasARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{pace: time.Microsecond}
		b := newBed(t, "100,200@1s", q.call)
		for _, c := range []struct {
			about string
			line  int
			n     int
			made  int64
		}{
			{"the first line makes the run", 0, 1, 300},
			{"later rounds do not", 0, 1000, 300},
			{"the second of -count=2 makes another", 0, 1, 600},
			{"phases report the first", 1, 1, 600},
			{"and the second", 1, 1, 600},
			{"a third is made by whoever wants it", 2, 1, 600},
			{"", 2, 1, 600},
			{"", 2, 1, 900},
			{"", 2, 100, 900},
		} {
			b.line(t, c.line, c.n)
			assert.Equal(t, c.made, q.made.Load(), c.about)
		}
		b.Rig.Load.Calls = 1
		b.line(t, 2, 1)
		assert.EqualValues(t, 900+smokeCalls, q.made.Load(), "few, where benchmarks only have to run")
	})
}

// TestLargePayloadsHaveTheirThroughput: package testing would divide by b.N.
func TestLargePayloadsHaveTheirThroughput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, "100,200@1s", (&queue{pace: time.Microsecond}).call)
		for i := range b.leaves {
			l := b.leaves[i].(leaf)
			l.Size = 1 << 20
			b.leaves[i] = l
		}
		for i, rate := range []float64{150, 100, 200} {
			assert.InEpsilon(t, rate*(1<<20)/1e6, b.line(t, i, 1)["MB/s"], .01, i)
		}
	})
}

// TestFailedCallsAreThoseOfTheirPhase by when they were due.
func TestFailedCallsAreThoseOfTheirPhase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, down := 0, errors.New("down")
		b := newBed(t, "100,200@1s", func(context.Context, int) error {
			if made++; made > 150 {
				return down
			}
			return nil
		})
		for i, errors := range []float64{150, 0, 150} {
			assert.Equal(t, errors, b.line(t, i, 1)["errors"], i)
		}
		var text strings.Builder
		assert.Equal(t, 1, b.Rig.Ledger.Close(&text, false))
		assert.Contains(t, text.String(), "down")
	})
}

func TestCallsOfAnotherKindHaveNoPhases(t *testing.T) {
	r, err := tide.Read("100,200@1s")
	require.NoError(t, err)
	for _, c := range []call.Called{{Kind: "streams=1", Spec: plan.Spec{Streamed: true}}, {Kind: "mix=1KiB-99_1MiB-1"}} {
		for _, l := range Leaves(c, plan.NewOptions(), r.Tide) {
			assert.Equal(t, noParts, l.Common().Lacks)
		}
	}
}
