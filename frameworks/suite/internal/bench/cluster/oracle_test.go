package cluster

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ledger"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig/rigtest"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/work"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// sleeper is a server whose handlers take a time, of which a draw decides.
type sleeper struct {
	server.Given
	mean              time.Duration
	inFlight, handled atomic.Int64
	frozen            atomic.Bool
}

// Handled implements server.Counter.
func (s *sleeper) Handled(context.Context) (int64, error) { return s.handled.Load(), nil }

// Spans implements server.Counter.
func (s *sleeper) Spans(context.Context) (int64, error) { return 0, nil }

// Pause implements the server's ability.
func (s *sleeper) Pause() error {
	s.frozen.Store(true)
	return nil
}

// Resume implements the server's ability.
func (s *sleeper) Resume() error {
	s.frozen.Store(false)
	return nil
}

// call is a call of the server, for which the handler takes a time.
func (s *sleeper) call(ctx context.Context, takes time.Duration) error {
	if s.frozen.Load() {
		<-ctx.Done()
		return ctx.Err()
	}
	time.Sleep(takes)
	s.handled.Add(1)
	return nil
}

// unit is how long a handler takes on average.
const unit = time.Millisecond

// rivals are four servers of which the first is ten times as slow.
type rivals struct {
	servers [4]*sleeper
	mu      sync.Mutex
	random  *rand.Rand
	turn    int
}

func newRivals() *rivals {
	r := &rivals{random: rand.New(rand.NewPCG(48, 6))}
	for i := range r.servers {
		r.servers[i] = &sleeper{mean: unit}
	}
	r.servers[0].mean = 10 * unit
	return r
}

// roundRobin has each server in turn take a call, for exactly its mean time.
func (r *rivals) roundRobin() (s *sleeper, takes time.Duration) {
	r.turn++
	s = r.servers[r.turn%len(r.servers)]
	return s, s.mean
}

// p2c has the one with fewer calls in flight of two that are drawn, perhaps the same twice,
// take a call for an exponential time. Of two that have as many it is the first.
func (r *rivals) p2c() (s *sleeper, takes time.Duration) {
	s = r.servers[r.random.IntN(len(r.servers))]
	if other := r.servers[r.random.IntN(len(r.servers))]; other.inFlight.Load() < s.inFlight.Load() {
		s = other
	}
	return s, time.Duration(r.random.ExpFloat64() * float64(s.mean))
}

// calls returns calls that a balancer deals out.
func (r *rivals) calls(balance func() (*sleeper, time.Duration)) loadgen.Call {
	return func(ctx context.Context, _ int) error {
		r.mu.Lock()
		s, takes := balance()
		s.inFlight.Add(1)
		r.mu.Unlock()
		defer s.inFlight.Add(-1)
		return s.call(ctx, takes)
	}
}

// keeping is a load that keeps what it measured.
type keeping struct {
	*load.Local
	mean float64 // of the responses, in units
}

// Run implements load.Load.
func (k *keeping) Run(b load.Bench, n int, cfg loadgen.Config) (load.Measured, error) {
	m, err := k.Local.Run(b, n, cfg)
	k.mean = float64(m.Response.Mean()) / float64(unit)
	return m, err
}

// balanced measures 2,000 calls a second to servers of which the first is slow, in fake time,
// and returns the line and the mean response in units.
func balanced(t *testing.T, n int, deal func(*rivals) func() (*sleeper, time.Duration)) (line loadbench.Values, mean float64) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRivals()
		kept := &keeping{Local: load.OfJob(call.Job{Call: r.calls(deal(r))}, 0)}
		line = measured(t, r, kept, n, slow{text: "1:10x", server: 1, times: 10})
		mean = kept.mean
	})
	return line, mean
}

// measured measures a number of calls, due in equal steps or, of slow handlers, at random.
func measured(t *testing.T, r *rivals, l load.Load, n int, what slow) loadbench.Values {
	t.Helper()
	o := plan.NewOptions()
	o.FakeTime = true
	if what.fails() {
		o.Arrivals = "constant"
	}
	s := &rig.Settings{Load: load.Settings{Watchdog: 10 * time.Second}}
	b := Benchmark(s, call.NewMenu(work.New([]workload.Workload{{Name: slept, Scales: true}})))
	leaf := openLoop(o, plan.Target{}, call.WorkOf(o, plan.Target{}, slept)[0], len(r.servers), 2000, what, policy{})
	c := plan.Case{Benchmark: b, Spec: leaf.Common(), Leaf: leaf}
	var servers []*server.Server
	for _, one := range r.servers {
		servers = append(servers, server.New(one))
	}
	bed := rig.NewTestbed(&rig.Rig{Settings: s, Ledger: ledger.New(map[string]string{}), Options: o}, c, servers, l)
	line := loadbench.Values{}
	require.NoError(t, bed.Measure(rigtest.Bench{Values: line}, n, c))
	return line
}

// TestRoundRobinByArithmetic: exactly a quarter of the calls take ten units and the others one.
func TestRoundRobinByArithmetic(t *testing.T) {
	line, mean := balanced(t, 10_000, func(r *rivals) func() (*sleeper, time.Duration) { return r.roundRobin })
	within(t, 25, line["slow-share-%"], "slow-share-%")
	within(t, 3.25, mean, "mean")
	within(t, 1, line["p50-ns"]/float64(unit), "p50")
	within(t, 10, line["p99-ns"]/float64(unit), "p99")
}

// TestPowerOfTwoChoicesByArithmetic: the slow server's share of the calls is that of the
// stationary distribution of how many calls each server has in flight. The responses are a
// mixture of two exponential distributions, since a server handles any number of calls at once.
func TestPowerOfTwoChoicesByArithmetic(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector takes ten times as long for the sums")
	}
	line, mean := balanced(t, 80_000, func(r *rivals) func() (*sleeper, time.Duration) { return r.p2c })
	share := newChain(2, 10).slowShare()
	within(t, 100*share, line["slow-share-%"], "slow-share-%")
	within(t, 1-share+10*share, mean, "mean")
	within(t, quantile(share, .5), line["p50-ns"]/float64(unit), "p50")
	within(t, quantile(share, .99), line["p99-ns"]/float64(unit), "p99")
}

func within(t *testing.T, want, got float64, what string) {
	t.Helper()
	t.Logf("%s: %.4f of %.4f: %+.2f %%", what, got, want, 100*(got/want-1))
	assert.InEpsilon(t, want, got, .02, what)
}

// quantile is the time, in units, that a share of the responses takes at most.
func quantile(slowShare, q float64) float64 {
	low, high := 0., 1000.
	for range 100 {
		t := (low + high) / 2
		if longer := (1-slowShare)*math.Exp(-t) + slowShare*math.Exp(-t/10); longer > 1-q {
			low = t
		} else {
			high = t
		}
	}
	return low
}

// chain is the Markov chain of how many calls the slow server and the three others have in
// flight. Calls arrive at a rate, and leave a server at a rate for each that it has.
type chain struct {
	arrivals, slowness float64 // calls in a unit; units that a call of the slow server takes
	states             [][4]int
	at                 map[[4]int]int
}

// More calls in flight are too rare to count.
const (
	mostSlow = 15
	mostFast = 6
)

func newChain(arrivals, slowness float64) *chain {
	c := &chain{arrivals: arrivals, slowness: slowness, at: map[[4]int]int{}}
	for s := range mostSlow + 1 {
		for i := range mostFast + 1 {
			for j := range i + 1 {
				for k := range j + 1 {
					state := [4]int{s, i, j, k} // the fast ones are alike: the fullest comes first
					c.at[state] = len(c.states)
					c.states = append(c.states, state)
				}
			}
		}
	}
	return c
}

// chosen is the chance of each server to be chosen in a state: 16 draws are equally likely.
func chosen(state [4]int) (chance [4]float64) {
	for a := range state {
		for b := range state {
			if state[b] < state[a] {
				chance[b] += 1. / 16
			} else {
				chance[a] += 1. / 16
			}
		}
	}
	return chance
}

// to returns the state in which a server has some calls more; the same if that is too many.
func (c *chain) to(state [4]int, server, more int) int {
	next := state
	next[server] += more
	fast := next[1:]
	slices.SortFunc(fast, func(a, b int) int { return b - a })
	if at, known := c.at[next]; known {
		return at
	}
	return c.at[state]
}

// transition is a change of the state with its rate.
type transition struct {
	to   int
	rate float64
}

func (c *chain) transitions(state [4]int) (list []transition) {
	for i, chance := range chosen(state) {
		leaves := float64(state[i])
		if i == 0 {
			leaves /= c.slowness
		}
		list = append(list, transition{c.to(state, i, 1), c.arrivals * chance}, transition{c.to(state, i, -1), leaves})
	}
	return list
}

// slowShare is the chance that a call goes to the slow server: calls that arrive at random see
// the stationary distribution, which is found by steps so short that at most one thing happens
// in each.
func (c *chain) slowShare() (share float64) {
	all := make([][]transition, len(c.states))
	for i, state := range c.states {
		all[i] = c.transitions(state)
	}
	step := 1 / (c.arrivals + 3*mostFast + mostSlow/c.slowness)
	now, next := make([]float64, len(all)), make([]float64, len(all))
	now[0] = 1
	for range 1500 {
		copy(next, now)
		for i, list := range all {
			for _, to := range list {
				moved := now[i] * to.rate * step
				next[i] -= moved
				next[to.to] += moved
			}
		}
		now, next = next, now
	}
	for i, state := range c.states {
		share += now[i] * chosen(state)[0]
	}
	return share
}
