package load

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/capacity"
)

// near is an agent in this process.
type near struct {
	*agent
	late func(StepRequest) // is called before each step
}

func (n near) Ask(string, any, any) error { return nil }

func (n near) Run(q RunRequest) (RunReply, error) { return n.run(q) }

func (n near) Start(q RunRequest) error {
	_, err := n.start(q)
	return err
}

func (n near) Step(q StepRequest, reply *StepReply) (err error) {
	if n.late != nil {
		n.late(q)
	}
	*reply, err = n.step(q)
	return err
}

func (near) pid() int { return 0 }

func (near) Close() error { return nil }

// sleeping are agents whose calls take a time.
func sleeping(n int, takes time.Duration, at func(rate float64) loadgen.Schedule) *Clients {
	t := new(Clients)
	for rank := range n {
		t.members = append(t.members, near{agent: &agent{
			found: Found{Case: plan.Case{Leaf: call.Leaf{Schedule: loadgen.ClosedLoop}}, Schedule: at, FakeTime: true},
			order: PrepareRequest{Rank: rank, Size: n},
			load:  OfJob(call.Job{Call: sleep(takes)}, time.Minute),
		}})
	}
	return t
}

func sleep(takes time.Duration) loadgen.Call {
	return func(context.Context, int) error { time.Sleep(takes); return nil }
}

func poisson(rate float64) loadgen.Schedule { return loadgen.Poisson(rate, 1) }

func atRate(rate float64) loadgen.Schedule { return AtRate{poisson(rate), rate} }

// TestAgentsHaveTheCapacityOfOneClient with as many callers: 40 callers make 2,000 calls a second
// that take 20 ms each, and fewer where calls come in bursts.
func TestAgentsHaveTheCapacityOfOneClient(t *testing.T) {
	const takes, most = 20 * time.Millisecond, 2000.
	for about, c := range map[string]struct {
		at    func(rate float64) loadgen.Schedule
		least float64 // of the arithmetic
	}{
		"constant": {loadgen.Constant, .97},
		"Poisson":  {poisson, .85},
	} {
		if race.Enabled && about != "constant" { // which takes half a minute
			continue
		}
		one := capacityOf(t, c.at, loadgen.Call(sleep(takes)).Run)
		assert.True(t, one.Rate > c.least*most && one.Rate < 1.03*most, "%s: %.0f", about, one.Rate)
		for _, n := range []int{2, 4} {
			if race.Enabled && n != 4 {
				continue
			}
			several := capacityOf(t, c.at, sleeping(n, takes, c.at).Loads)
			assert.InEpsilon(t, one.Rate, several.Rate, .03, "%s: %d agents", about, n)
			assert.True(t, several.Low <= one.High && one.Low <= several.High, "%s: %d agents: from %.0f to %.0f, and one client from %.0f to %.0f", about, n, several.Low, several.High, one.Low, one.High)
		}
	}
}

// capacityOf searches for a capacity in fake time.
func capacityOf(t *testing.T, at func(rate float64) loadgen.Schedule, run loadgen.Runner) (found *capacity.Result) {
	synctest.Test(t, func(t *testing.T) {
		var err error
		found, err = capacity.Find(t.Context(), capacity.Config{
			Quantile: .99, Latency: 50 * time.Millisecond, Workers: 40, RuntimeTimers: true,
			Schedule: func(rate float64) loadgen.Schedule { return AtRate{at(rate), rate} },
		}, run)
		require.NoError(t, err)
	})
	return found
}

// TestARunOfAgentsEndsAtOneDueTime, before which all calls of the schedule are made, and none after
// it.
func TestARunOfAgentsEndsAtOneDueTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clients, batches := sleeping(3, time.Millisecond, poisson), 0
		cfg := loadgen.Config{
			Workers: 30, Schedule: atRate(1000), Duration: time.Minute, Interval: 100 * time.Millisecond, Warmup: 200 * time.Millisecond,
			OnProgress: func(p loadgen.Progress) error {
				assert.Equal(t, time.Duration(batches)*100*time.Millisecond, p.Last.Start)
				assert.EqualValues(t, p.Responses.Count(), p.Last.OK+p.Last.Failed)
				if batches++; batches < 5 {
					return nil
				}
				return loadgen.ErrEnough
			},
		}
		r, err := clients.Loads(t.Context(), cfg)
		require.NoError(t, err)
		assert.Zero(t, r.Failed)
		assert.InDelta(t, 500, r.OK, 80, "five batches, and what was due until all have heard")
		assert.Less(t, r.Elapsed, time.Second)
	})
}

// TestARunOfAgentsThatFails sends no more calls, and has the error of the batch.
func TestARunOfAgentsThatFails(t *testing.T) {
	bad := errors.New("too slow")
	synctest.Test(t, func(t *testing.T) {
		cfg := loadgen.Config{Workers: 30, Schedule: atRate(1000), Duration: time.Minute, Interval: 100 * time.Millisecond, OnProgress: func(loadgen.Progress) error { return bad }}
		r, err := sleeping(3, time.Millisecond, poisson).Loads(t.Context(), cfg)
		assert.ErrorIs(t, err, bad)
		assert.InDelta(t, 100, r.OK, 70, "one batch")
	})
}

// TestOneCallerIsOfOneAgent: a closed loop of one caller, and one call.
func TestOneCallerIsOfOneAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, calls := range []int64{0, 1} {
			cfg := loadgen.Config{Workers: 1, Schedule: loadgen.ClosedLoop, Duration: time.Second, Calls: calls}
			r, err := sleeping(3, 10*time.Millisecond, poisson).Loads(t.Context(), cfg)
			require.NoError(t, err)
			assert.Equal(t, map[int64]int64{0: 100, 1: 1}[calls], r.OK)
		}
	})
}

// TestAnAgentThatHearsTooLate of the end of a run makes calls beyond it, which is an error: the calls
// of all are no beginning of the schedule.
func TestAnAgentThatHearsTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clients := sleeping(3, time.Millisecond, poisson)
		slow := clients.members[1].(near)
		slow.late = func(q StepRequest) {
			if q.End > 0 {
				time.Sleep(time.Second)
			}
		}
		clients.members[1] = slow
		cfg := loadgen.Config{Workers: 30, Schedule: atRate(1000), Duration: time.Minute, Interval: 100 * time.Millisecond, OnProgress: func(loadgen.Progress) error { return loadgen.ErrEnough }}
		_, err := clients.Loads(t.Context(), cfg)
		assert.ErrorContains(t, err, "client 1 were not due as the first of its share of the schedule")
	})
}

// TestAnAgentThatDies ends the run at once.
func TestAnAgentThatDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clients := sleeping(2, time.Millisecond, poisson)
		clients.members[1] = dead{clients.members[1].(near)}
		cfg := loadgen.Config{Workers: 30, Schedule: atRate(1000), Duration: time.Minute, Interval: 100 * time.Millisecond}
		begin := time.Now()
		_, err := clients.Loads(t.Context(), cfg)
		assert.ErrorContains(t, err, "rank 1 has ended")
		assert.Less(t, time.Since(begin), time.Second)
		clients.members[0].(near).batches.fail(errFails)
		clients.members[1].(dead).batches.fail(errFails)
		time.Sleep(time.Minute) // until both have ended
	})
}

type dead struct{ near }

func (dead) Step(StepRequest, *StepReply) error { return errors.New("rank 1 has ended") }
