package search

import (
	"context"
	"errors"
	"flag"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig/rigtest"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/capacity"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// fifo is a server that handles one call after the other, each in pace, whether or not its
// caller still waits. It refuses a call that would have to wait longer than most; 0 for
// none.
type fifo struct {
	server.Given
	pace, most time.Duration
	free       *atomic.Int64 // when it has handled all calls so far, in Unix nanoseconds
	handled    *atomic.Int64
}

var errFull = errors.New("the queue is full")

func newFIFO(pace, most time.Duration) fifo {
	return fifo{pace: pace, most: most, free: new(atomic.Int64), handled: new(atomic.Int64)}
}

// Handled implements counter.
func (s fifo) Handled(context.Context) (int64, error) { return s.handled.Load(), nil }

// Spans implements counter.
func (s fifo) Spans(context.Context) (int64, error) { return 0, nil }

func (s fifo) call(ctx context.Context, _ int) error {
	now, free := time.Now().UnixNano(), s.free.Load()
	begin := max(now, free)
	if s.most > 0 && begin-now > int64(s.most) {
		return errFull
	}
	for !s.free.CompareAndSwap(free, begin+int64(s.pace)) {
		free = s.free.Load()
		begin = max(now, free)
	}
	done := time.Duration(begin-now) + s.pace
	time.AfterFunc(done, func() { s.handled.Add(1) })
	select {
	case <-time.After(done):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// overloaded measures 1,000 calls to a server that can do 500 a second, of which p99 should
// be within 10 ms, in fake time. It returns the line, and what was said after it.
func overloaded(t *testing.T, server fifo, percent, retries string) (line loadbench.Values, said string, code int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o := plan.NewOptions()
		o.FakeTime, o.Arrivals, o.Workers = true, "constant", 500
		s := &rig.Settings{Load: load.Settings{Watchdog: 10 * time.Second}}
		ofCapacity, loads := Benchmarks(s, call.NewMenu(nil))
		fs := flag.NewFlagSet("", flag.ContinueOnError)
		ofCapacity.Flags(fs)
		require.NoError(t, errors.Join(fs.Set("load", percent), fs.Set("slo", "p99-10ms")))
		leaf := loads.Cases(o, plan.Target{})[0]
		c := plan.Case{Benchmark: loads, Spec: leaf.Common(), Leaf: leaf}
		c.Servers = 1
		bed := rigtest.BedOf(server, c)
		bed.Rig.Settings, bed.Rig.Options = s, o
		policy, err := call.ReadRetry(retries)
		require.NoError(t, err)
		served := load.OfJob(call.Job{Call: server.call}, 0)
		served.Retry = policy
		bed.Load = served
		l := leaf.(loadLeaf)
		l.found[limitOf{bed, strings.Join([]string{c.ID(), l.What, l.slo.name, "", ""}, " ")}] = &capacity.Result{Rate: 500}
		b := rigtest.Bench{Values: loadbench.Values{}}
		require.NoError(t, bed.Measure(b, 1000, c))
		var text strings.Builder
		assert.Equal(t, b.Values["recover-ns"] > 9e9, bed.Load == nil, "the next round has another server if this one is lost")
		code = bed.Rig.Ledger.Close(&text, false)
		line, said = b.Values, text.String()
	})
	return line, said, code
}

// TestWhatAnOverloadDoes: the figures follow from the arithmetic of a queue. At 200 % a call
// is due every millisecond and takes the server two. Users give up after 40 ms, which is
// four times the objective.
func TestWhatAnOverloadDoes(t *testing.T) {
	const pace = 2 * time.Millisecond
	for _, c := range []struct {
		about   string
		server  fifo
		percent string
		retries string
		want    map[string]float64
		within  map[string]float64 // 0 where nothing is said
	}{
		{
			"half of the capacity: nothing is wasted, and nothing to recover from", newFIFO(pace, 0), "50", call.NoRetry,
			map[string]float64{"offered/s": 250, "calls/s": 250, "errors": 0, "dropped": 0, "wasted-%": 0},
			map[string]float64{"calls/s": 1},
		},
		{
			// Call k waits k+2 ms: the first 38 are answered. The server still works on the
			// others for a second after the last was due, and calls come meanwhile, which
			// wait just as long: at half of the capacity it takes another second.
			"a server that queues what nobody waits for collapses", newFIFO(pace, 0), "200", call.NoRetry,
			map[string]float64{"offered/s": 1000, "calls/s": 38 / 1.039, "errors": 962, "dropped": 0, "wasted-%": 97.4, "recover-ns": 1946e6},
			map[string]float64{"calls/s": 2, "errors": 2, "wasted-%": .5, "recover-ns": 40e6},
		},
		{
			"a server that refuses what it cannot do in time answers half, and has recovered at once", newFIFO(pace, 6*time.Millisecond), "200", call.NoRetry,
			map[string]float64{"calls/s": 500, "errors": 500, "dropped": 0, "wasted-%": 0, "recover-ns": 8e6},
			map[string]float64{"calls/s": 15, "errors": 10, "recover-ns": 12e6},
		},
		{
			"refused calls that are made again at once are refused again", newFIFO(pace, 6*time.Millisecond), "200", "3:0s",
			map[string]float64{"calls/s": 500, "errors": 500, "retries/op": 1, "wasted-%": 0, "recover-ns": 8e6},
			map[string]float64{"calls/s": 15, "errors": 10, "retries/op": .05, "recover-ns": 12e6},
		},
		{
			// With two attempts a call, half of the capacity is all of it.
			"repeated calls keep the server overloaded after the overload", newFIFO(pace, 0), "200", "2:0s",
			map[string]float64{"errors": 962, "retries/op": .962, "recover-ns": 10e9},
			map[string]float64{"errors": 2, "retries/op": .01, "recover-ns": .5e9},
		},
	} {
		t.Run(c.about, func(t *testing.T) {
			line, said, code := overloaded(t, c.server, c.percent, c.retries)
			for unit, want := range c.want {
				assert.Contains(t, line, unit)
				assert.InDelta(t, want, line[unit], c.within[unit], unit)
			}
			if c.percent == "50" {
				assert.NotContains(t, line, "recover-ns")
			}
			if c.retries == call.NoRetry {
				assert.NotContains(t, line, "retries/op")
			}
			assert.Zero(t, code, "that calls fail is what was asked for")
			assert.Equal(t, line["errors"] > 0, strings.Contains(said, "# beyond the capacity: BenchmarkFake: "), said)
			assert.Equal(t, line["recover-ns"] > 9e9, strings.Contains(said, "the server has not recovered: 10s after the overload"), said)
			assert.NotContains(t, said, "dropped")
		})
	}
}

// TestARecoveryIsFound: each interval is given as the latency of its calls in milliseconds
// and how many of them failed.
func TestARecoveryIsFound(t *testing.T) {
	type interval struct {
		calls   int64
		latency time.Duration
		failed  int64
	}
	const ms = time.Millisecond
	good, late, none := interval{100, ms, 0}, interval{100, 9 * ms, 0}, interval{}
	failing := interval{100, ms, 1}
	for _, c := range []struct {
		about     string
		intervals []interval
		since     int // the interval in which it begins; -1: it is not found
	}{
		{"a server that was never late has recovered at once", []interval{good, good, good}, 0},
		{"calls are late at first", []interval{late, late, good, good, good}, 2},
		{"one good interval is luck", []interval{good, late, good, good, good}, 2},
		{"calls that fail are not answered", []interval{failing, good, good, good}, 1},
		{"an interval without calls says nothing", []interval{late, none, good, none, good, good}, 2},
		{"three good ones are needed", []interval{late, good, good}, -1},
		{"no call ends", []interval{none, none, none, none}, -1},
	} {
		r := recovery{slo: slo{quantile: .99, latency: 5 * ms}}
		for i, in := range c.intervals {
			var h loadgen.Histogram
			h.Record(in.latency, in.calls)
			found := r.see(loadgen.Point{Start: time.Duration(i) * recoveryStep, OK: in.calls - in.failed, Failed: in.failed}, &h)
			assert.Equal(t, c.since >= 0 && i == len(c.intervals)-1, found, "%s: interval %d", c.about, i)
		}
		if c.since >= 0 {
			assert.Equal(t, time.Duration(c.since)*recoveryStep, r.since, c.about)
		}
	}
}

func TestTheLastCallIsDue(t *testing.T) {
	assert.Equal(t, 99*time.Millisecond, lastDue(loadgen.Constant(1000), 100))
	assert.Zero(t, lastDue(loadgen.Constant(1000), 1), "the first is due at once")
	assert.Zero(t, lastDue(loadgen.Constant(1000), 0))
}

func TestWhatIsExpectedOfAnOverload(t *testing.T) {
	for _, kind := range []error{loadgen.ErrDropped, loadgen.ErrBehind, loadgen.ErrAllFailed} {
		assert.True(t, ofOverload(kind), kind.Error())
	}
	for _, kind := range []error{loadgen.ErrGenerator, loadgen.ErrBusy, loadgen.ErrUnfinished} {
		assert.False(t, ofOverload(kind), kind.Error())
	}
}
