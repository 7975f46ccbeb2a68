package bench

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig/rigtest"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// allocated is how many bytes each call to pausing takes.
const allocated = 4 << 10

// pausing answers calls but while it is paused.
type pausing struct {
	server.Given
	mu     *sync.RWMutex
	paused *atomic.Int64
}

func (s pausing) Pause() error  { s.paused.Add(1); s.mu.Lock(); return nil }
func (s pausing) Resume() error { s.mu.Unlock(); return nil }

func (s pausing) Run(b load.Bench, n int, cfg loadgen.Config) (m load.Measured, err error) {
	var sink [stallWorkers][]byte
	m.Measured, err = loadbench.Measure(b, n, cfg, loadgen.Call(func(_ context.Context, worker int) error {
		sink[worker] = make([]byte, allocated)
		s.mu.RLock()
		time.Sleep(10 * time.Microsecond)
		s.mu.RUnlock()
		return nil
	}).Run)
	return m, err
}

func (pausing) Loads(context.Context, loadgen.Config) (*loadgen.Result, error) { return nil, nil }

func (pausing) PIDs() []int         { return nil }
func (pausing) Conns() (int, error) { return 0, nil }
func (pausing) Close() error        { return nil }

// Both loops run while the server stands still: some of their calls wait for its end.
func TestBothLoopsSeeTheStall(t *testing.T) {
	for _, leaf := range stall(call.NewMenu(nil)).Cases(plan.NewOptions(), plan.Target{}) {
		c := plan.Case{Benchmark: stall(call.NewMenu(nil)), Spec: leaf.Common(), Leaf: leaf}
		c.Servers = 1
		server := pausing{mu: new(sync.RWMutex), paused: new(atomic.Int64)}
		bed, b := rigtest.BedOf(server, c), rigtest.Bench{Values: loadbench.Values{}}
		bed.Load, bed.Rig.Output.Detail = server, true
		bed.Counted = map[string]probe.Counts{"Stall/": {}} // there is no server to count the costs of
		const n = stallRate / 2
		require.NoError(t, bed.Measure(b, n, c))
		assert.EqualValues(t, 1, server.paused.Load())
		const stalled = .16 * n / stallRate * float64(time.Second) // as the documentation of Stall says
		assert.GreaterOrEqual(t, b.Values["max-ns"], stalled*.9, "%s: the longest wait is the whole stall", c.Keys)
		assert.Less(t, b.Values["max-ns"], stalled*5, c.Keys)
		units := []string{"calls/s", "client-busy-%", "client-cpu-ns/op", "conns", "errors", "max-ns", "mean-ns", "min-ns", "ns/op", "p50-ns"}
		if c.Keys == "loop=closed" {
			units = append(units, "B/op", "allocs/op")
			for _, unit := range []string{"p99-ns", "p99.9-ns"} { // of loops that made enough calls
				delete(b.Values, unit)
			}
			assert.Greater(t, b.Values["calls/s"]*n/stallRate, float64(n), "it calls as often as it can")
			assert.InDelta(t, allocated, b.Values["B/op"], allocated/2, "divided by the calls that were made")
			assert.InDelta(t, 1, b.Values["allocs/op"], .5)
			assert.InEpsilon(t, 1e9/b.Values["calls/s"], b.Values["ns/op"], .01)
		} else {
			units = append(units, "dropped")
			assert.InEpsilon(t, stallRate, b.Values["calls/s"], .3)
			assert.Zero(t, b.Values["ns/op"], "the rate was given")
		}
		assert.ElementsMatch(t, units, slices.Collect(maps.Keys(b.Values)))
	}
}

func TestAServerThatDoesNotStandStillHasNoLine(t *testing.T) {
	leaf := stall(call.NewMenu(nil)).Cases(plan.NewOptions(), plan.Target{})[0]
	c := plan.Case{Benchmark: stall(call.NewMenu(nil)), Spec: leaf.Common(), Leaf: leaf}
	c.Servers = 1
	for _, row := range []struct {
		about         string
		pause, resume error
	}{
		{"it stands still, and the line shows that", nil, nil},
		{"it could not be stopped: the line would show a server without a stall", errors.New("no signal"), nil},
		{"it could not be continued", nil, errors.New("no signal")},
	} {
		resumed, b := false, rigtest.Bench{Values: loadbench.Values{}}
		err := rigtest.BedOf(rigtest.Stubborn{PauseErr: row.pause, ResumeErr: row.resume, Resumed: &resumed}, c).Measure(b, 1, c)
		assert.True(t, resumed, row.about)
		if row.pause == nil && row.resume == nil {
			assert.NoError(t, err, row.about)
			assert.Contains(t, b.Values, "calls/s", row.about)
			continue
		}
		assert.ErrorContains(t, err, "did not stand still", row.about)
		assert.Empty(t, b.Values, row.about)
	}
}
