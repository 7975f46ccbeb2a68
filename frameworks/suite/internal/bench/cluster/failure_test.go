package cluster

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// inTurn is round robin, which may leave a server of which a call has failed.
func (r *rivals) inTurn(leaves bool) loadgen.Call {
	left := map[*sleeper]bool{}
	return func(ctx context.Context, _ int) error {
		r.mu.Lock()
		s, _ := r.roundRobin()
		for left[s] {
			s, _ = r.roundRobin()
		}
		r.mu.Unlock()
		err := s.call(ctx, unit)
		r.mu.Lock()
		left[s] = left[s] || leaves && err != nil
		r.mu.Unlock()
		return err
	}
}

// TestAFrozenServerIsToldInCalls: of 2,000 calls in a second the server stands still for the
// last 1,500, of which every fourth is its own and ends after 250 ms. A client that leaves the
// server when the first of them has ended has sent it the calls of 250 ms, which are 125.
func TestAFrozenServerIsToldInCalls(t *testing.T) {
	for _, c := range []struct {
		about  string
		leaves bool
		want   map[string]float64
	}{
		{"the server is left", true, map[string]float64{"failed-calls": 125, "late-calls": 0, "suffered-%": 100 * 125. / 1500, "left-ns": 250e6, "errors": 125}},
		{"nobody leaves the server", false, map[string]float64{"failed-calls": 375, "late-calls": 0, "suffered-%": 25, "errors": 375}},
	} {
		t.Run(c.about, func(t *testing.T) {
			var line loadbench.Values
			synctest.Test(t, func(t *testing.T) {
				r := newRivals()
				line = measured(t, r, load.OfJob(call.Job{Call: r.inTurn(c.leaves)}, 0), 2000, slow{text: "1:frozen", server: 1, times: 1, fault: frozen})
			})
			for unit, want := range c.want {
				assert.InDelta(t, want, line[unit], .02*want, unit)
			}
			assert.Equal(t, c.leaves, line["left-ns"] > 0)
			assert.NotContains(t, line, "slow-share-%")
			assert.NotContains(t, line, "used-again-ns")
		})
	}
}

// TestWhenSharesAreEvenAgain: each step has the calls of three servers, of which the first is
// up from the second step on.
func TestWhenSharesAreEvenAgain(t *testing.T) {
	began := time.Now()
	for _, c := range []struct {
		about string
		steps [][]int64
		after time.Duration
		known bool
	}{
		{"half of the others' calls are enough", [][]int64{{0, 0, 0}, {0, 9, 9}, {1, 9, 9}, {5, 10, 10}}, 2 * stepTime, true},
		{"less is not", [][]int64{{0, 0, 0}, {0, 9, 9}, {4, 10, 10}}, 0, false},
		{"a step before is not looked at", [][]int64{{0, 0, 0}, {9, 9, 9}, {0, 10, 10}}, 0, false},
		{"nobody calls", [][]int64{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 0, false},
	} {
		d := dealing{counts: make([]int64, 3)}
		for k, calls := range c.steps {
			for i := range calls {
				d.counts[i] += calls[i]
			}
			d.steps = append(d.steps, step{began.Add(time.Duration(k) * stepTime), append([]int64(nil), d.counts...)})
		}
		after, known := d.even(0, began.Add(stepTime))
		assert.Equal(t, c.after, after, c.about)
		assert.Equal(t, c.known, known, c.about)
	}
	d := dealing{counts: []int64{30, 10}, steps: []step{{began, []int64{10, 0}}, {began, []int64{30, 10}}}}
	assert.Equal(t, []string{"per cent of the calls handled, in all and in each 100ms", "server 1: 75.0: 100 67", "server 2: 25.0: 0 33"}, d.table())
}
