package bench

import (
	"flag"
	"fmt"
	"strconv"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/bench/dial"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// The active callers, whose calls are measured with and without idle connections.
const (
	idleCallers = 100     // without -active
	idleRate    = 1000    // calls per second
	idleSize    = 1 << 10 // of their payload, and of that of first calls, in bytes
)

// smokeCalls are the calls where benchmarks only have to run.
const smokeCalls = 50

// perAddr is how many idle connections go to an address of the server. The client has
// about 28,000 ports for each, and the kernel finds a free one faster while most are.
const perAddr = 10_000

// idleFlags holds the flags of Idle.
type idleFlags struct {
	settings *rig.Settings
	counts   plan.List[int]
	active   plan.List[int]
}

// idle is open and silent connections: what they hold, and what they do to the calls of
// others.
func idle(s *rig.Settings) *plan.Benchmark {
	f := &idleFlags{s, plan.NewList("1000,10000", value.Positive), plan.NewList(strconv.Itoa(idleCallers), value.Positive)}
	return &plan.Benchmark{Name: "Idle", NoNetwork: "what silent connections hold does not depend on a network", NoCores: "what silent connections hold does not depend on cores", Flags: f.register, Runs: f.runs, Cases: f.cases}
}

func (f *idleFlags) register(fs *flag.FlagSet) {
	fs.Var(&f.counts, "idle", "`numbers` of open and silent connections of Idle")
	fs.Var(&f.active, "active", fmt.Sprintf("`numbers` of callers of Idle, who share %d calls a second beside the idle connections", idleRate))
}

// runs returns an error for flags that the benchmark cannot honour.
func (f *idleFlags) runs(o *plan.Options) error {
	if err := o.Untraced(); err != nil {
		return err
	}
	return f.settings.Undisturbed(o, "idle connections are those of one client process", "idle connections take neither -fault nor profiles: use Rate")
}

// cases leaves out variants that have no idle connections, and those that differ from
// another only in how many connections they advise.
func (f *idleFlags) cases(o *plan.Options, t plan.Target) (list []plan.Leaf) {
	if t.Sharing == framework.Short || t.Variant.Conns > 0 {
		return nil
	}
	for _, n := range f.counts.Values {
		for _, active := range f.active.Values {
			l := idleLeaf{Leaf: call.EchoLeaf(active, idleSize), idle: n}
			l.Keys, l.Optional = fmt.Sprintf("idle=%d", n), activeKey(active)
			l.Schedule, l.Rate = o.Schedule(idleRate), idleRate
			l.Addrs, l.Search = (n+perAddr-1)/perAddr, f.takes(n)
			list = append(list, l)
		}
	}
	return list
}

// activeKey is the key of another number of callers than idleCallers.
func activeKey(n int) string {
	if n == idleCallers {
		return ""
	}
	return fmt.Sprintf("/active=%d", n)
}

// takes is about what a case takes.
func (f *idleFlags) takes(n int) time.Duration {
	calls := 2 * time.Duration(idleCalls(f.settings)) * time.Second / idleRate
	return calls + 2*silenceTime(f.settings) + time.Duration(n)*dial.OpenTime
}

// idleCalls is how many calls the active callers make.
func idleCalls(s *rig.Settings) int {
	if s.Load.Smoke() {
		return smokeCalls
	}
	return s.P99Calls()
}

// silenceTime is how long the CPU of silent connections is measured.
func silenceTime(s *rig.Settings) time.Duration {
	if s.Load.Smoke() {
		return 20 * time.Millisecond
	}
	return 2 * time.Second
}

// idleLeaf is a number of idle connections, and active callers beside them.
type idleLeaf struct {
	call.Leaf
	idle int
}

var _ rig.Measurer = idleLeaf{}

// Measure implements rig.Measurer.
func (l idleLeaf) Measure(r *rig.Round) error { return r.Observed(l.observe) }

// observe measures a new server: alone, then with idle connections.
func (l idleLeaf) observe(r *rig.Round) ([]loadbench.Metric, error) {
	r.Close() // what a server has kept of earlier connections would hide what these take
	s := &silence{Round: r, want: l.idle}
	s.raise()
	if err := r.Ready(); err != nil {
		return nil, err
	}
	alone, err := l.calls(r)
	if err == nil {
		err = s.start()
	}
	if err != nil {
		return nil, r.GiveUp(err)
	}
	defer s.client.Stop()
	s.before = s.read()
	if err := s.open(); err != nil {
		return nil, r.GiveUp(err)
	}
	s.after = s.read()
	among, err := l.calls(r)
	if err != nil {
		return nil, r.GiveUp(err)
	}
	s.recount()
	r.Rig.Ledger.FailedWith(r.Bench.Name(), among.Failures())
	r.Rig.Ledger.Warn(r.Bench.Name(), append(s.doubts, l.doubts(r, among.Result)...)...)
	r.Rig.Ledger.HasNoFigures(r.Bench.Name(), s.unknown())
	return append(s.metrics(), l.latencies(r, alone, among)...), nil
}

// CalledApart has another process make the calls, so that they do not wait for the
// collector of the one that has the idle connections.
func (l idleLeaf) CalledApart() {}

// calls makes calls of the active callers, at the rate.
func (l idleLeaf) calls(r *rig.Round) (m load.Measured, err error) {
	n := int64(idleCalls(r.Rig.Settings))
	clients, u := r.Load.(*load.Clients), new(probe.Usage)
	then := u.ReadCPU(r.Running[0].Meter)
	replies, err := clients.Calls(load.RunRequest{At: time.Now().Add(clients.Ahead())}, n, func() {})
	if err != nil {
		return m, err
	}
	server := u.ReadCPU(r.Running[0].Meter) - then
	m, err = load.Merge(replies)
	if err == nil && m.OK == 0 {
		err = fmt.Errorf("%w: %s", rig.ErrNone, m.Result.Failures())
	}
	m.More = nil
	if u.Err == nil && m.Sent > 0 {
		m.More = []loadbench.Metric{{Value: float64(server) / float64(m.Sent), Unit: "server-cpu-ns/op"}}
	}
	return m, err
}

// latencies returns the metrics of the calls among idle connections, with the CPU time of both
// sides, and the p99 of those without.
func (l idleLeaf) latencies(r *rig.Round, alone, among load.Measured) []loadbench.Metric {
	list := loadbench.Measured{Result: among.Result, Rounds: r.Rig.Rounds, CPU: among.CPU}.Metrics(r.Rig.Output.Detail)
	list = append(list, among.More...)
	for _, m := range (loadbench.Measured{Result: alone.Result, Rounds: r.Rig.Rounds}).Metrics(false) {
		if m.Unit == "p99-ns" {
			list = append(list, loadbench.Metric{Value: m.Value, Unit: "alone-p99-ns"})
		}
	}
	return list
}

// doubts lists what makes figures of the calls wrong, unless they only have to be made.
func (l idleLeaf) doubts(r *rig.Round, result *loadgen.Result) (list []string) {
	for _, w := range loadbench.OfLine(result.Warnings) {
		if !r.Rig.Load.Smoke() {
			list = append(list, w.Error())
		}
	}
	return list
}
