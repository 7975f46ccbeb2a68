package rig

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fault"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sampling"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ledger"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/outcome"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/profile"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// Round is one round of a case: b.N calls.
type Round struct {
	*Testbed
	plan.Case
	Bench load.Bench
	N     int
	Probe *probe.Probe
	Both  profile.Both
	// Excuse says when calls may fail, even all of them, as in "beyond the capacity"; "" for
	// never.
	Excuse string
	// Missing says which figures the line lacks, and why.
	Missing []string

	hosts probe.Hosts
}

// Down is the Excuse of a round in which a server fails.
const Down = "with a server that fails"

// Measurer is a leaf that is measured in its own way.
type Measurer interface{ Measure(r *Round) error }

// Measure runs one round of n calls of a case, and reports it.
func (t *Testbed) Measure(b load.Bench, n int, c plan.Case) error {
	t.made = 0
	r := &Round{Testbed: t, Case: c, Bench: b, N: n}
	if m, own := c.Leaf.(Measurer); own {
		return m.Measure(r)
	}
	if err := r.Ready(); err != nil {
		return err
	}
	return r.Report(r.Run(r.Config()))
}

// Made returns how many of the n calls of the last round were made: fewer if it ended
// early.
func (t *Testbed) Made(n int) int {
	if t.made > 0 {
		return int(min(int64(n), t.made))
	}
	return n
}

// Ready starts the servers and the load of the round, unless they run already.
func (r *Round) Ready() error { return r.ReadyAfter(func() {}) }

// ReadyAfter is ready, and calls before just before it makes a new load, when the
// servers are up.
func (r *Round) ReadyAfter(before func()) error {
	if err := r.prepare(r.Bench.Context(), r.Case, before); err != nil {
		return r.GiveUp(err)
	}
	sides := r.Rig.sides(r.Cores)
	sides.ServerProcs = r.Rig.allProcs(len(r.Running), r.Cores)
	r.Probe = &probe.Probe{Usage: probe.NewUsage(r.Running), Sides: sides, Callers: sides.Callers(r.Case), Line: probe.Line{Link: r.Rig.Networks.Links[r.Case.Network.Name]}, Proxies: probe.Proxies{List: r.between.proxies}}
	if r.Rig.Output.Detail {
		r.Probe.Detail = new(probe.Detail)
		if !sides.Spread {
			r.Probe.Detail.Client = r.Load.PIDs()
		}
	}
	return nil
}

// Observed has a case observed in the first round of a line, in which package testing asks for
// one call. Later rounds report the same again.
func (r *Round) Observed(observe func(*Round) ([]loadbench.Metric, error)) error {
	name := r.Case.Name()
	if r.N == 1 || r.measured[name] == nil {
		list, err := observe(r)
		if err != nil {
			return err
		}
		if r.measured == nil {
			r.measured = map[string][]loadbench.Metric{}
		}
		r.measured[name] = list
	}
	loadbench.Report(r.Bench, r.measured[name]...)
	return nil
}

// Config returns the loadgen.Config of a round.
func (r *Round) Config() loadgen.Config {
	patience := r.Rig.Load.Patience(r.Case)
	return loadgen.Config{
		Workers: r.Workers, Schedule: call.LeafOf(r.Case).Schedule, Timeout: r.Timeout,
		Slack: r.Rig.Options.Slack(), RuntimeTimers: r.Rig.Options.FakeTime,
		Drain:   load.DrainAfter(patience),
		OnStart: r.start, OnStop: r.stop, OnProgress: r.Watch(patience),
	}
}

func (r *Round) start() {
	r.hosts = r.hostsOf()
	r.hosts.Start()
	r.Probe.Start()
}

func (r *Round) stop() {
	r.Probe.Stop()
	r.hosts.Stop()
}

// hostsOf are the machines of the round's servers, if there are several of both.
func (r *Round) hostsOf() (h probe.Hosts) {
	if len(r.Rig.Machines.far) < 2 || len(r.Running) < 2 {
		return h
	}
	for i, s := range r.Running {
		h.Add(r.Rig.Machines.at(i+1), s)
	}
	return h
}

// Run makes the calls of a round. The error says why they ended early, or that a
// server died.
func (r *Round) Run(cfg loadgen.Config) (m load.Measured, err error) {
	if r.between.corrupter != nil {
		r.between.corrupter.Mend()
		defer func() { fault.CountFlips(r.Rig.Fault, r.between.corrupter.Made.Load(), &m) }()
	}
	if r.Rig.Fault != "" {
		end := r.breaking(&cfg)
		defer func() { m, err = end(m, err) }()
	}
	if r.Rig.Profiles.Wanted() {
		r.Rig.Profiles.During(&cfg, r.Running[0].Profiler, r.Rig.tellProfile)
	}
	if r.Rig.Output.anatomy != "" {
		r.Both.During(&cfg, r.Running[0].Profiler, r.Rig.tellProfile)
	}
	m, err = r.Load.Run(r.Bench, r.N, cfg)
	err = cmp.Or(r.lineErr(), err)
	if m.Result == nil {
		return m, err
	}
	if !r.fixed() {
		m.More = append(m.More, load.PartMetrics(m.Result, r.Rig.Rounds)...)
	}
	switch {
	case err == nil && r.Excuse != "":
		err = r.dead()
	case err == nil && m.OK == 0:
		err = fmt.Errorf("%w: %s", ErrNone, m.Result.Failures())
	case err == nil && m.Failed > 0:
		err = r.death()
	}
	if m.Closed && m.Sent < int64(r.N) {
		m.More = append(m.More, loadbench.Metric{Value: float64(m.Elapsed) / float64(m.Sent), Unit: "ns/op"})
	}
	return m, err
}

// phased is a leaf whose runs last as long as their phases, which have lines of their own.
type phased interface{ Phased() }

// fixed reports whether a run lasts as long as its phases, so that b.N is not its calls.
func (r *Round) fixed() bool {
	_, is := r.Case.Leaf.(phased)
	return is
}

// breaking has the first server break in a run. end tells what that did, when the run is over.
func (r *Round) breaking(cfg *loadgen.Config) (end func(load.Measured, error) (load.Measured, error)) {
	told := outcome.Tell(r.Load, len(r.Running), cfg)
	wait := fault.During(cfg, func() error {
		told.From = time.Now()
		return fault.Break(r.Rig.Fault, r.Running[0], r.between.corrupter)
	})
	return func(m load.Measured, err error) (load.Measured, error) {
		if whole := wait(); whole != nil { // a line would show a server without a fault
			return load.Measured{}, fmt.Errorf("-fault=%s: %w", r.Rig.Fault, whole)
		}
		if text := told.End(&m); text != "" {
			r.Rig.Ledger.DealtOut(r.Bench.Name(), fmt.Sprintf("server 1 had -fault=%s: %s", r.Rig.Fault, text))
		}
		return m, err
	}
}

// ErrNone is the error of a round in which no call succeeded. If the first round's only
// call fails, servers go on: what is said at the start of new ones would split the line.
var ErrNone = errors.New("no call succeeded")

// Report prints the round's metrics and m.more. It returns an error only if the
// round has no result.
func (r *Round) Report(m load.Measured, err error) error {
	_, err = r.Reported(m, err)
	return err
}

// Reported is Report, and returns the metrics that it prints.
func (r *Round) Reported(m load.Measured, err error) ([]loadbench.Metric, error) {
	if m.Result == nil || m.OK == 0 && r.N > 1 && r.Excuse == "" { // the only call of the first round may fail
		return nil, r.GiveUp(err)
	}
	if !r.fixed() {
		r.Bench.SetBytes(r.bytes())
	} else {
		m.More = append(m.More, r.Throughput(m.Goodput())...)
	}
	m.Rounds = r.Rig.Rounds
	name, ledger := r.Bench.Name(), r.Rig.Ledger
	if failed := failures(err, m.Result); r.excused(m, err) {
		ledger.ExcuseFailed(name, r.Excuse, failed)
	} else {
		ledger.FailedWith(name, failed)
	}
	conns := r.Connections(err != nil || m.Failed > 0 || r.Excuse != "")
	costs, windows := r.costs(err), r.tcpWindows()
	ledger.Warn(name, slices.Concat(r.Probe.Doubts(m, err), m.Doubts, []string{narrow(r.Case, windows)})...)
	ledger.HasNoFigures(name, slices.Concat(r.Missing, costs.Lacks, r.streams.Lacks, r.hosts.Lacks())...)
	ledger.Hosts(name, r.hosts.Texts(r.Probe.Each, m)...)
	ledger.LimitedBy(name, r.Probe.Limit(m))
	list := slices.Concat(m.Metrics(r.Rig.Output.Detail), m.More, r.Probe.Metrics(m), costs.Metrics, r.streams.Metrics, windowMetrics(windows), []loadbench.Metric{conns})
	ledger.HasNoP99(name, r.fewCalls(m, list))
	loadbench.Report(r.Bench, list...)
	ledger.Record(r.record(m, list, r.Probe.Started), r.parts(m))
	if r.Rig.Output.anatomy != "" && m.Sent > 0 {
		ledger.Anatomy(r.anatomy(m, list), r.Both.Files())
	}
	if err != nil {
		r.made = m.Sent
	}
	if err != nil && !errors.Is(err, ErrNone) { // the next round starts with new servers and a new load
		r.Close()
	}
	return list, nil
}

// Part is what a line says of a part of a run.
type Part struct {
	Result  *loadgen.Result // of the part
	Metrics []loadbench.Metric
	Start   time.Time // of the run
	Err     error     // why the run ended early; nil if it did not
	Doubts  []string  // about the figures
	Lacks   []string  // figures, and why
}

// ReportPart prints the metrics of a part of a run that the line, or another one, has made.
func (r *Round) ReportPart(p Part) {
	name, ledger := r.Bench.Name(), r.Rig.Ledger
	m := load.Measured{Measured: loadbench.Measured{Result: p.Result}}
	ledger.FailedWith(name, failures(p.Err, p.Result))
	ledger.Warn(name, p.Doubts...)
	ledger.HasNoFigures(name, p.Lacks...)
	ledger.HasNoP99(name, r.fewCalls(m, p.Metrics))
	loadbench.Report(r.Bench, p.Metrics...)
	ledger.Record(r.record(m, p.Metrics, p.Start), nil)
}

// bytes returns how many of a call count for MB/s; 0 for small payloads, of which lines say none,
// and where the load says it of sizes that vary.
func (r *Round) bytes() int64 {
	if n := r.payload(); n >= 64<<10 && r.Sizes == nil {
		return int64(n)
	}
	return 0
}

// Throughput is the MB/s of a number of calls per second, where lines say it.
func (r *Round) Throughput(rate float64) []loadbench.Metric {
	if r.bytes() == 0 {
		return nil
	}
	return []loadbench.Metric{{Value: float64(r.bytes()) * rate / 1e6, Unit: "MB/s"}}
}

// payload is the size of the larger payload of a call, in bytes.
func (r *Round) payload() int {
	if ask.IsReply(r.Action) {
		return r.Largest
	}
	return r.Size
}

// fewCalls says why the line of an open loop has no p99; "" if it has one, or if
// benchmarks only have to run.
func (r *Round) fewCalls(m load.Measured, list []loadbench.Metric) string {
	if m.Closed || r.Rig.Load.Smoke() || slices.ContainsFunc(list, func(m loadbench.Metric) bool { return m.Unit == "p99-ns" }) {
		return ""
	}
	short := "-benchtime"
	if r.fixed() {
		short = "its phases"
	}
	return fmt.Sprintf("it takes 10000 calls in all rounds and 1000 in each, there are %d in each of %d: make %s longer", m.Sent, r.Rig.Rounds, short)
}

// record returns what -results keeps of a round. It lacks those figures of the line
// that package testing counts itself.
func (r *Round) record(m load.Measured, list []loadbench.Metric, start time.Time) *record.Record {
	values := ledger.Metrics{}
	loadbench.Report(values, list...)
	for i, kind := range m.Result.ErrorKinds {
		m.Result.ErrorKinds[i].Text = foreign.Line(kind.Text)
	}
	return &record.Record{Benchmark: r.Bench.Name(), Start: start, Config: r.Rig.config(), Metrics: values, Result: m.Result}
}

// anatomy returns the record that has the profiles of both sides beside it. Profiles do not tell
// how much CPU time a sample stands for, and lack the monitors of both sides.
func (r *Round) anatomy(m load.Measured, list []loadbench.Metric) *record.Record {
	one := r.record(m, list, r.Probe.Started)
	one.Config["sample"] = sampling.Tick().String()
	one.Metrics["client-monitor-ns/op"] = float64(r.Both.Monitor) / float64(m.Sent)
	one.Metrics["server-monitor-ns/op"] = float64(r.Probe.Figures.Monitor) / float64(m.Sent)
	return one
}

// parts returns what -results keeps of each rank.
func (r *Round) parts(m load.Measured) (list []*record.Record) {
	if r.Rig.Ranks.Meeting == nil {
		return nil
	}
	for _, p := range m.Parts {
		if p.Result == nil { // it had no call to make
			p.Result = new(loadgen.Result)
		}
		list = append(list, &record.Record{Start: p.Began, Config: r.Rig.config(), Result: p.Result})
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

// During calls happen, in a goroutine, when the run of cfg starts. wait returns when
// happen has returned.
func During(cfg *loadgen.Config, happen func()) (wait func()) {
	var happening sync.WaitGroup
	started := cfg.OnStart
	cfg.OnStart = func() {
		started()
		happening.Go(happen)
	}
	return happening.Wait
}

// excused reports whether the failed calls of a round are what was to be seen: none of them
// had a wrong reply.
func (r *Round) excused(m load.Measured, err error) bool {
	wrong := func(k loadgen.ErrorKind) bool {
		return strings.Contains(k.Text, "reply: ") || strings.Contains(k.Text, "came back is not")
	}
	return r.Excuse != "" && err == nil && !slices.ContainsFunc(m.ErrorKinds, wrong)
}
