package resilience

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/certs"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/storm"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// Storms sends garbage to the server of each variant of a kind while a client calls it, and
// puts a proxy with faults between the server and a benchmark. Servers of -server are left out.
func (c Config) Storms(t tester.T, kind func(plan.Target) bool) {
	for _, v := range c.Targets {
		if v.Given != "" || !kind(v) {
			continue
		}
		t.Run(v.ID(), func(t tester.T) {
			t.Parallel()
			t.Run("garbage", func(t tester.T) {
				t.Parallel()
				c.survivesGarbage(t, v)
			})
			for _, f := range c.faultsOf(v) {
				t.Run(f.Name, func(t tester.T) {
					if why := storm.OfConnections()[f.Name]; v.Datagrams && why != "" {
						t.Skip(why)
					}
					t.Parallel() // some wait for the watchdog
					c.survives(t, v, f)
				})
			}
		})
	}
}

// garbage returns how many connections with garbage are made to a server. They are fewer if it
// allocates as much as a message announces, or it would take all memory.
func (c Config) garbage(v plan.Target) int {
	if c.All && v.Announced == "" {
		return 10_000
	}
	return 300
}

// seededFault is a fault with a seed. A fault of one direction happens to replies if the seed
// is odd, else to requests.
type seededFault struct {
	storm.Fault
	seed uint64
}

// faultsOf returns the faults to which a variant is put: two of them by its name, or with
// -storms all of them in both directions. Without -storms there may be faults to which no
// variant is put.
func (c Config) faultsOf(v plan.Target) (list []seededFault) {
	name := fnv.New64a()
	name.Write([]byte(v.ID()))
	hash := name.Sum64()
	for i, f := range faultsOver(v) {
		if c.All {
			list = append(list, seededFault{f, hash &^ 1}, seededFault{f, hash | 1})
		} else if uint64(i)%5 == hash%5 {
			list = append(list, seededFault{f, hash})
		}
	}
	return list
}

// faultsOver are the faults over what carries a variant's connections. Datagrams have theirs,
// and are told why they do not have the others.
func faultsOver(v plan.Target) (list []storm.Fault) {
	if !v.Datagrams {
		return storm.Faults()
	}
	for _, f := range storm.Faults() {
		if storm.OfConnections()[f.Name] != "" {
			list = append(list, f)
		}
	}
	return append(storm.OfDatagrams(), list...)
}

// relayed is what stands between clients and a server in a storm.
type relayed interface {
	Addr() string
	Made() int
	Recorded() []byte
	Close()
}

// between starts it.
func between(v plan.Target, server string, f storm.Fault, seed uint64) (relayed, error) {
	if v.Datagrams {
		return storm.NewDatagrams(server, f, seed)
	}
	return storm.NewProxy(server, f, seed)
}

// survivesGarbage sends garbage to a server, on many connections, while a client calls it.
func (c Config) survivesGarbage(t tester.T, v plan.Target) {
	s := c.startVictim(t, v)
	recorded := recordCalls(t, v, s.Addr())
	calls := goOnCalling(t, v, s.Addr())
	send(t, v, s.Addr(), recorded, c.garbage(v))
	assert.Positive(t, calls())
	s.survived(t)
}

// send makes connections with garbage of all kinds, some at a time, or sends it in datagrams.
func send(t tester.T, v plan.Target, addr string, recorded []byte, connections int) {
	kinds, sent := storm.Kinds(), storm.Garbage.Send
	if v.Datagrams {
		kinds, sent = slices.DeleteFunc(kinds, func(k storm.Garbage) bool { return storm.OfConnections()[k.Name] != "" }), storm.Garbage.SendDatagrams
	}
	storm.Each(connections, 32, func(i int) {
		n := i + 1
		kind := kinds[n%len(kinds)]
		assert.NoError(t, sent(kind, addr, rand.New(rand.NewPCG(uint64(n), 0)), recorded), "%s", kind.Name)
	})
}

// recordCalls returns what a client sends first.
func recordCalls(t tester.T, v plan.Target, server string) []byte {
	p, err := between(v, server, storm.Fault{}, 0)
	require.NoError(t, err)
	defer p.Close()
	c, err := v.Dial(p.Addr(), framework.DialOptions{Conns: 1, Callers: 1, Patience: tester.Enough})
	require.NoError(t, err)
	defer c.Close()
	call := tester.Call(c, 1, 100)
	for range 10 {
		require.NoError(t, call(tester.Within(t, tester.Enough), 0))
	}
	require.NotEmpty(t, p.Recorded())
	return p.Recorded()
}

// goOnCalling calls a server, and asserts that each call succeeds, until stop is called, which
// returns the number of calls.
func goOnCalling(t tester.T, v plan.Target, server string) (stop func() int64) {
	const callers = 2
	c, err := v.Dial(server, framework.DialOptions{Conns: cmp.Or(v.Conns, callers), Callers: callers, Patience: tester.Enough})
	require.NoError(t, err)
	var calls, stopped atomic.Int64
	var calling sync.WaitGroup
	call := tester.Call(c, callers, 1024)
	for i := range callers {
		calling.Go(func() {
			for stopped.Load() == 0 && assert.NoError(t, callWithin(tester.Enough, call, i)) {
				calls.Add(1)
				time.Sleep(time.Millisecond)
			}
		})
	}
	return func() int64 {
		stopped.Store(1)
		calling.Wait()
		c.Close() // drpc's fails at what is closed already
		return calls.Load()
	}
}

func callWithin(d time.Duration, call func(context.Context, int) error, worker int) error {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	return call(ctx, worker)
}

// survives runs a benchmark through a proxy with a fault.
func (c Config) survives(t tester.T, v plan.Target, f seededFault) {
	s := c.startVictim(t, v)
	f.After = c.callsThrough(f.Fault) // the warm-up makes a quarter of them, and a call is two chunks as a rule
	p, err := between(v, s.Addr(), f.Fault, f.seed)
	require.NoError(t, err)
	defer p.Close()
	dir, err := os.MkdirTemp("", "rpcbench-certs-")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	require.NoError(t, certs.Write(dir, c.Rig.Certificates()), "the client verifies this process's server")
	ended := c.benchmark(t, v, f.Fault, p, dir)
	for tries := 1; p.Made() == 0 && tries < 3; tries++ { // a busy machine can end it before the fault happens
		ended = c.benchmark(t, v, f.Fault, p, dir)
	}
	about := fmt.Sprintf("seed %d, %d times:\n%s%s", f.seed, p.Made(), ended.Stdout, ended.Stderr)
	assert.Positive(t, p.Made(), about)
	assertCounted(t, ended, f.Fault, about)
	assertEnd(t, ended, v.Announced)
	s.survived(t)
}

// benchmark runs a benchmark through a proxy. The certificates are in dir.
func (c Config) benchmark(t tester.T, v plan.Target, f storm.Fault, p relayed, dir string) process.Ended {
	ended, err := process.Rerun(tester.Within(t, 2*time.Minute), "-test.run=^$", "-test.bench=^BenchmarkEcho$",
		fmt.Sprintf("-test.benchtime=%dx", c.callsThrough(f)), "-references=false", "-size=1KiB", "-conc=10", "-conns=5",
		"-watchdog="+watchdogFor(f).String(), "-server="+v.ID()+"@"+p.Addr(), "-certs="+dir)
	require.NoError(t, err)
	return ended
}

// callsThrough is how many calls a benchmark makes through a proxy with a fault. There are
// enough for a rare fault to happen while they are measured.
func (c Config) callsThrough(f storm.Fault) int {
	switch {
	case f.Every():
		return 1000
	case c.All:
		return 20_000
	}
	return 3000
}

// watchdogFor is the watchdog of a benchmark with a fault. It is long for a harmless fault, by
// which no call may fail even on a busy machine. It is short for others, because calls that
// were broken off wait for it.
func watchdogFor(f storm.Fault) time.Duration {
	if f.Harmless {
		return 20 * time.Second
	}
	return 3 * time.Second
}

// assertCounted asserts that a benchmark's line and its exit code tell of calls that
// failed, if and only if some did. The fault may also happen before anything is measured, when
// the server is tried: the benchmark then says so.
func assertCounted(t tester.T, ended process.Ended, f storm.Fault, about string) {
	lines := tester.Results(ended.Stdout)
	if len(lines) == 0 {
		assert.Positive(t, ended.ExitCode, about)
		assert.False(t, f.Harmless, about)
		assert.Regexp(t, "(?m)^--- FAIL: BenchmarkEcho|^rpcbench: ", ended.Stdout+ended.Stderr, about)
		return
	}
	assert.Less(t, ended.ExitCode, 2, about)
	failed := tester.Value(t, lines[0], "errors") > 0
	assert.Equal(t, failed, strings.Contains(ended.Stderr, "# failed calls: "), about)
	assert.Equal(t, failed, ended.ExitCode == 1, about)
	if f.Harmless {
		assert.False(t, failed, about)
	}
	if f.Wrong {
		assert.True(t, failed, about)
	}
}
