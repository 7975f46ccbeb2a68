package rig

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// round is one round of a case: b.N calls.
type round struct {
	*Testbed
	plan.Case
	b     Bench
	n     int
	probe *probe
	sheds bool // more is offered than the server can do: calls may fail, even all of them
}

// measurer is a leaf that is measured in its own way.
type measurer interface{ measure(r *round) error }

// Measure runs one round of n calls of a case, and reports it.
func (t *Testbed) Measure(b Bench, n int, c plan.Case) error {
	t.made = 0
	r := &round{Testbed: t, Case: c, b: b, n: n}
	if m, own := c.Leaf.(measurer); own {
		return m.measure(r)
	}
	if err := r.ready(); err != nil {
		return err
	}
	return r.report(r.run(r.config()))
}

// Made returns how many of the n calls of the last round were made: fewer if it ended
// early.
func (t *Testbed) Made(n int) int {
	if t.made > 0 {
		return int(min(int64(n), t.made))
	}
	return n
}

// ready starts the servers and the load of the round, unless they run already.
func (r *round) ready() error { return r.readyAfter(func() {}) }

// readyAfter is ready, and calls before just before it makes a new load, when the
// servers are up.
func (r *round) readyAfter(before func()) error {
	if err := r.prepare(r.b.Context(), r.Case, before); err != nil {
		return r.giveUp(err)
	}
	sides := r.rig.sides()
	r.probe = &probe{usage: newUsage(r.servers), sides: sides, callers: sides.callers(r.Case), line: lined{link: r.rig.Networks.Links[r.Case.Network.Name]}, proxies: processesOf(r.proxies)}
	if r.rig.Output.Detail {
		r.probe.detail = new(detail)
		if !sides.spread {
			r.probe.detail.client = r.load.pids()
		}
	}
	return nil
}

// observed has a case observed in the first round of a line, in which package testing asks for
// one call. Later rounds report the same again.
func (r *round) observed(observe func(*round) ([]loadbench.Metric, error)) error {
	name := r.Case.Name()
	if r.n == 1 || r.measured[name] == nil {
		list, err := observe(r)
		if err != nil {
			return err
		}
		if r.measured == nil {
			r.measured = map[string][]loadbench.Metric{}
		}
		r.measured[name] = list
	}
	loadbench.Report(r.b, r.measured[name]...)
	return nil
}

// config returns the loadgen.Config of a round.
func (r *round) config() loadgen.Config {
	patience := r.rig.Load.patience(r.Case)
	return loadgen.Config{
		Workers: r.Workers, Schedule: leafOf(r.Case).schedule, Wait: r.rig.options.Wait(), Timeout: r.Timeout,
		Drain:   afterWatchdog(patience),
		OnStart: r.probe.start, OnStop: r.probe.stop, OnProgress: r.watch(patience),
	}
}

// run makes the calls of a round. The error says why they ended early, or that a
// server died.
func (r *round) run(cfg loadgen.Config) (m measured, err error) {
	if r.corrupter != nil {
		r.corrupter.mend()
		defer func() { countFlips(r.rig.Fault, r.corrupter.made.Load(), &m) }()
	}
	if r.rig.Fault != "" {
		wait := breakDuring(&cfg, func() error { return breakServer(r.rig.Fault, r.servers[0], r.corrupter) })
		defer func() {
			if whole := wait(); whole != nil { // a line would show a server without a fault
				m, err = measured{}, fmt.Errorf("-fault=%s: %w", r.rig.Fault, whole)
			}
		}()
	}
	if r.rig.Profiles.wanted() {
		r.rig.Profiles.during(&cfg, r.servers[0].profiler, r.rig.tellProfile)
	}
	m, err = r.load.run(r.b, r.n, cfg)
	err = cmp.Or(r.lineErr(), err)
	if m.Result == nil {
		return m, err
	}
	m.more = append(m.more, partMetrics(m.Result, r.rig.Rounds)...)
	switch {
	case err == nil && r.sheds:
		err = r.dead()
	case err == nil && m.OK == 0:
		err = fmt.Errorf("%w: %s", errNone, m.Result.Failures())
	case err == nil && m.Failed > 0:
		err = r.death()
	}
	if m.Closed && m.Sent < int64(r.n) {
		m.more = append(m.more, loadbench.Metric{Value: float64(m.Elapsed) / float64(m.Sent), Unit: "ns/op"})
	}
	return m, err
}

// errNone is the error of a round in which no call succeeded. If the first round's only
// call fails, servers go on: what is said at the start of new ones would split the line.
var errNone = errors.New("no call succeeded")

// report prints the round's metrics and m.more. It returns an error only if the
// round has no result.
func (r *round) report(m measured, err error) error {
	if m.Result == nil || m.OK == 0 && r.n > 1 && !r.sheds { // the only call of the first round may fail
		return r.giveUp(err)
	}
	if n := r.payload(); n >= 64<<10 {
		r.b.SetBytes(int64(n))
	}
	m.Rounds = r.rig.Rounds
	name, ledger := r.b.Name(), r.rig.Ledger
	failed, shed := failures(err, m.Result), ""
	if r.shed(m, err) {
		failed, shed = "", failed
	}
	ledger.failedWith(name, failed)
	ledger.shedWith(name, shed)
	conns := r.connections(err != nil || m.Failed > 0)
	costs, windows := r.costs(err), r.tcpWindows()
	ledger.warn(name, slices.Concat(r.probe.doubts(m, err), m.doubts, costs.lacks, r.streams.lacks, []string{narrow(r.Case, windows)})...)
	list := slices.Concat(m.Metrics(r.rig.Output.Detail), m.more, r.probe.metrics(m), costs.metrics, r.streams.metrics, windowMetrics(windows), []loadbench.Metric{conns})
	ledger.hasNoP99(name, r.fewCalls(m, list))
	loadbench.Report(r.b, list...)
	ledger.record(r.record(m, list), r.parts(m))
	if err != nil {
		r.made = m.Sent
	}
	if err != nil && !errors.Is(err, errNone) { // the next round starts with new servers and a new load
		r.Close()
	}
	return nil
}

// payload is the size of the larger payload of a call, in bytes.
func (r *round) payload() int {
	if framework.IsActionReply(r.Action) {
		return r.Largest
	}
	return r.Size
}

// fewCalls says why the line of an open loop has no p99; "" if it has one, or if
// benchmarks only have to run.
func (r *round) fewCalls(m measured, list []loadbench.Metric) string {
	if m.Closed || r.rig.Load.Smoke() || slices.ContainsFunc(list, func(m loadbench.Metric) bool { return m.Unit == "p99-ns" }) {
		return ""
	}
	return fmt.Sprintf("it takes 10000 calls in all rounds and 1000 in each, there are %d in each of %d: make -benchtime longer", m.Sent, r.rig.Rounds)
}

// record returns what -results keeps of a round. It lacks those figures of the line
// that package testing counts itself.
func (r *round) record(m measured, list []loadbench.Metric) *record.Record {
	values := metrics{}
	loadbench.Report(values, list...)
	for i, kind := range m.Result.ErrorKinds {
		m.Result.ErrorKinds[i].Text = foreign.Line(kind.Text)
	}
	return &record.Record{Benchmark: r.b.Name(), Start: r.probe.started, Config: r.rig.config(), Metrics: values, Result: m.Result}
}

// parts returns what -results keeps of each rank.
func (r *round) parts(m measured) (list []*record.Record) {
	if r.rig.Ranks.Meeting == nil {
		return nil
	}
	for _, p := range m.parts {
		if p.Result == nil { // it had no call to make
			p.Result = new(loadgen.Result)
		}
		list = append(list, &record.Record{Start: p.Began, Config: r.rig.config(), Result: p.Result})
	}
	return list
}

// failures says why a run ended early, and with which errors calls failed.
func failures(err error, r *loadgen.Result) string {
	kinds := r.Failures()
	if err == nil || kinds == "" {
		return strings.TrimSpace(fmt.Sprint(cmp.Or(err, errors.New(kinds))))
	}
	return err.Error() + "; " + kinds
}

// during calls happen, in a goroutine, when the run of cfg starts. wait returns when
// happen has returned.
func during(cfg *loadgen.Config, happen func()) (wait func()) {
	var happening sync.WaitGroup
	started := cfg.OnStart
	cfg.OnStart = func() {
		started()
		happening.Go(happen)
	}
	return happening.Wait
}

// shed reports whether the failed calls of a round are what an overload does: none of them
// had a wrong reply.
func (r *round) shed(m measured, err error) bool {
	wrong := func(k loadgen.ErrorKind) bool {
		return strings.Contains(k.Text, "reply: ") || strings.Contains(k.Text, "came back is not")
	}
	return r.sheds && err == nil && !slices.ContainsFunc(m.ErrorKinds, wrong)
}
