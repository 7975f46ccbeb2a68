package suite

import (
	"bytes"
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
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/certs"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/storm"
)

// Storms sends garbage to the server of each recommended variant while a client calls
// it, and puts a proxy with faults between the server and a benchmark. Nothing may hang
// or panic, no side may need more memory than mostMemory, the calls of the client must
// succeed, and those of the benchmark that do not must be counted. The package needs
// BenchmarkEcho:
//
//	func TestStorms(t *testing.T) { suite.Storms(t) }
//
// With the flag -storms it makes all faults, in requests and in replies, and 10,000
// connections to a server; else two of the faults and 300 connections. A variant with
// Announced gets 300 in any case. It is skipped with -short, and under the race
// detector, which takes memory of its own.
func Storms(t *testing.T) {
	storms(t, func(v plan.Target) bool { return v.Recommended || v.StandIn })
}

// StormsOf is Storms for the variant with this ID, which is not recommended but has
// reading code of its own.
func StormsOf(t *testing.T, id string) {
	found := false
	storms(t, func(v plan.Target) bool {
		found = found || v.ID() == id
		return v.ID() == id
	})
	assert.True(t, found, "no variant %s", id)
}

func storms(t *testing.T, stormy func(plan.Target) bool) {
	switch {
	case current == nil:
		t.Fatal(hint)
	case testing.Short():
		t.Skip("it takes ten seconds a framework")
	case raceDetector:
		t.Skip("the race detector takes memory of its own")
	}
	for _, v := range current.stormy(stormy) {
		tester{t}.Run(v.ID(), func(t tester) {
			t.Parallel()
			t.Run("garbage", func(t tester) {
				t.Parallel()
				survivesGarbage(t, v, current.garbage(v))
			})
			for _, f := range current.faultsOf(v) {
				t.Run(f.Name, func(t tester) {
					t.Parallel() // some wait for the watchdog
					survives(t, v, f)
				})
			}
		})
	}
}

// stormy are the variants of a kind, without given servers.
func (s *session) stormy(kind func(plan.Target) bool) []plan.Target {
	return slices.DeleteFunc(s.proven(), func(v plan.Target) bool { return !kind(v) || v.Given != "" })
}

// mostMemory is how many bytes a server may grow by in a storm, and how many a client
// may have resident. With an Announced it is twice what TarsGo allocates for a message.
func mostMemory(announced string) int64 {
	if announced != "" {
		return 4 << 30
	}
	return 256 << 20
}

// garbage returns how many connections with garbage are made to a server. There are
// fewer to one that allocates what they announce, which is not to need all memory.
func (s *session) garbage(v plan.Target) int {
	if s.storms && v.Announced == "" {
		return 10_000
	}
	return 300
}

// seededFault is a fault with a seed, which also says whether requests or replies
// suffer it.
type seededFault struct {
	storm.Fault
	seed uint64
}

// faultsOf returns the faults to which a variant is put: two of them by its name, or with
// -storms all of them in both directions. Only that ensures that each is met.
func (s *session) faultsOf(v plan.Target) (list []seededFault) {
	name := fnv.New64a()
	name.Write([]byte(v.ID()))
	hash := name.Sum64()
	for i, f := range storm.Faults() {
		if s.storms {
			list = append(list, seededFault{f, hash &^ 1}, seededFault{f, hash | 1})
		} else if uint64(i)%5 == hash%5 {
			list = append(list, seededFault{f, hash})
		}
	}
	return list
}

// survivesGarbage throws garbage at a server, many at once, while a client calls it.
func survivesGarbage(t tester, v plan.Target, connections int) {
	s := startVictim(t, v)
	recorded := recordCalls(t, v, s.Addr())
	calls := goOnCalling(t, v, s.Addr())
	throw(t, s.Addr(), recorded, connections)
	assert.Positive(t, calls())
	s.survived(t)
}

// throw makes connections with garbage of all kinds, some at a time.
func throw(t tester, addr string, recorded []byte, connections int) {
	kinds := storm.Kinds()
	storm.Each(connections, 32, func(i int) {
		n := i + 1
		kind := kinds[n%len(kinds)]
		assert.NoError(t, kind.Throw(addr, rand.New(rand.NewPCG(uint64(n), 0)), recorded), "%s", kind.Name)
	})
}

// recordCalls returns what a client sends first.
func recordCalls(t tester, v plan.Target, server string) []byte {
	p, err := storm.NewProxy(server, storm.Fault{}, 0)
	require.NoError(t, err)
	defer p.Close()
	c, err := v.Dial(p.Addr(), framework.DialOptions{Conns: 1, Callers: 1})
	require.NoError(t, err)
	defer c.Close()
	call := echoCall(c, 1, 100)
	for range 10 {
		require.NoError(t, call(within(t, enough), 0))
	}
	require.NotEmpty(t, p.Recorded())
	return p.Recorded()
}

// goOnCalling calls a server, and asserts that each call succeeds, until stop. That
// returns how many calls there were.
func goOnCalling(t tester, v plan.Target, server string) (stop func() int64) {
	const callers = 2
	c, err := v.Dial(server, framework.DialOptions{Conns: cmp.Or(v.Conns, callers), Callers: callers})
	require.NoError(t, err)
	var calls, stopped atomic.Int64
	var calling sync.WaitGroup
	call := echoCall(c, callers, 1024)
	for i := range callers {
		calling.Go(func() {
			for stopped.Load() == 0 && assert.NoError(t, callWithin(enough, call, i)) {
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
func survives(t tester, v plan.Target, f seededFault) {
	s := startVictim(t, v)
	calls := current.callsThrough(f.Fault)
	f.After = calls // the warm-up makes a quarter of them, and a call is two chunks as a rule
	p, err := storm.NewProxy(s.Addr(), f.Fault, f.seed)
	require.NoError(t, err)
	defer p.Close()
	dir, err := os.MkdirTemp("", "rpcbench-certs-")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	require.NoError(t, certs.Write(dir, current.rig.Certificates()), "the client verifies this process's server")
	ended, err := process.Rerun(within(t, 2*time.Minute), "-test.run=^$", "-test.bench=^BenchmarkEcho$",
		fmt.Sprintf("-test.benchtime=%dx", calls), "-references=false", "-size=1KiB", "-conc=10", "-conns=5",
		"-watchdog="+watchdogFor(f.Fault).String(), "-server="+v.ID()+"@"+p.Addr(), "-certs="+dir)
	require.NoError(t, err)
	about := fmt.Sprintf("seed %d, %d times:\n%s%s", f.seed, p.Made(), ended.Stdout, ended.Stderr)
	assert.Positive(t, p.Made(), about)
	countedAll(t, ended, f.Fault, about)
	assertCalm(t, ended, v.Announced)
	s.survived(t)
}

// callsThrough is how many calls a benchmark makes through a proxy with a fault. There are
// enough for a rare fault to happen while they are measured.
func (s *session) callsThrough(f storm.Fault) int {
	switch {
	case f.Every():
		return 1000
	case s.storms:
		return 20_000
	}
	return 3000
}

// watchdogFor is the watchdog of a benchmark with a fault. A fault that is harmless must
// not fail on a busy machine either; calls that others break off wait for it.
func watchdogFor(f storm.Fault) time.Duration {
	if f.Harmless {
		return 20 * time.Second
	}
	return 3 * time.Second
}

// countedAll asserts that a benchmark's line and its exit code tell of calls that
// failed, if and only if some did. The fault may also happen before anything is measured, when
// the server is tried: the benchmark then says so.
func countedAll(t tester, ended process.Ended, f storm.Fault, about string) {
	lines := resultsIn(ended.Stdout)
	if len(lines) == 0 {
		assert.Positive(t, ended.ExitCode, about)
		assert.False(t, f.Harmless, about)
		assert.Regexp(t, "(?m)^--- FAIL: BenchmarkEcho|^rpcbench: ", ended.Stdout+ended.Stderr, about)
		return
	}
	assert.Less(t, ended.ExitCode, 2, about)
	failed := valueOf(t, lines[0], "errors") > 0
	assert.Equal(t, failed, strings.Contains(ended.Stderr, "# failed calls: "), about)
	assert.Equal(t, failed, ended.ExitCode == 1, about)
	if f.Harmless {
		assert.False(t, failed, about)
	}
	if f.Wrong {
		assert.True(t, failed, about)
	}
}

// assertCalm asserts that a process ended without a panic, and needed little memory for
// variants with this Announced.
func assertCalm(t tester, ended process.Ended, announced string) {
	assert.Contains(t, []int{0, 1, 2}, ended.ExitCode, "%s", ended.Stderr)
	assertNoPanic(t, ended.Stdout+ended.Stderr)
	assertSmall(t, ended.Peak, announced)
}

// assertSmall asserts that a server has grown by little, or that a client was small.
// The race detector needs several times the memory.
func assertSmall(t tester, bytes int64, announced string) {
	t.Logf("%d MiB", bytes>>20)
	if raceDetector {
		return
	}
	assert.Less(t, bytes, mostMemory(announced), announced)
}

// assertNoPanic asserts that a process has printed no stack, and that no call has
// panicked. A server may answer that its handler has: some find out so what is wrong.
func assertNoPanic(t tester, printed string) {
	assert.NotRegexp(t, `(?m)^(panic|fatal error): |^goroutine \d|panicked: |panic serving`, printed)
}

// victim is a server in a storm.
type victim struct {
	*host.Host
	printed *transcript
	before  int64 // its peak

	announced string // see framework.Variant
}

// transcript keeps what a server prints.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *transcript) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func startVictim(t tester, v plan.Target) victim {
	out := new(transcript)
	h, err := host.Start(t.Context(), host.Config{Serve: v.ID(), Arg: current.rig.Order(v.Variant, ""), Output: out})
	require.NoError(t, err)
	t.Cleanup(func() { h.Stop() })
	return victim{h, out, peakOf(t, h), v.Announced}
}

func peakOf(t tester, h *host.Host) int64 {
	f, err := h.Figures(t.Context())
	require.NoError(t, err, "%v", h.Err())
	return f.PeakRSS
}

// survived asserts that the server still runs and ends in order, that it has not grown,
// and that nothing in it has panicked.
func (v victim) survived(t tester) {
	require.NoError(t, v.Err())
	assertSmall(t, peakOf(t, v.Host)-v.before, v.announced)
	assert.NoError(t, v.Stop())
	v.printed.mu.Lock()
	defer v.printed.mu.Unlock()
	assertNoPanic(t, v.printed.text.String())
}
