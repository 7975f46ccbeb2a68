// Package search is the benchmarks Capacity and Load. Both search for the highest rate that
// meets an objective.
package search

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ledger"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/capacity"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// search holds the flags of Capacity and Load, both of which search for the highest
// rate that meets an objective.
type search struct {
	*call.Menu
	settings  *rig.Settings
	slos      plan.List[slo]
	percents  plan.List[int]
	probeTime time.Duration // the most time that a probe of one rate takes
	found     map[limitOf]*capacity.Result
}

// limitOf names what a capacity is of. Servers of another testbed are searched anew.
type limitOf struct {
	bed  *rig.Testbed
	what string
}

// Benchmarks returns the benchmarks Capacity and Load.
func Benchmarks(s *rig.Settings, m *call.Menu) (ofCapacity, ofLoad *plan.Benchmark) {
	f := &search{
		Menu:     m,
		found:    map[limitOf]*capacity.Result{},
		settings: s,
		slos:     plan.NewList("p99-5ms", readSLO),
		percents: plan.NewList("10,20,30,40,50,60,70,80,90,100,110", value.Positive),
	}
	const busy = "a proxy takes the CPU of the client, whose limit would be found"
	ofCapacity = &plan.Benchmark{Name: "Capacity", NoProxy: busy, Flags: f.register, Check: f.check, Runs: f.runs, Cases: f.capacities}
	ofLoad = &plan.Benchmark{Name: "Load", NoProxy: busy, Runs: f.runs, Cases: f.loads}
	return ofCapacity, ofLoad
}

func (f *search) register(fs *flag.FlagSet) {
	fs.Var(&f.slos, "slo", "`objectives` of Capacity, of which Load takes the first")
	fs.Var(&f.percents, "load", "`percentages` of the capacity that Load offers")
	fs.DurationVar(&f.probeTime, "probe", 15*time.Second, "most time for each rate that Capacity tries")
}

func (f *search) check([]plan.Target) error {
	if f.probeTime < time.Second {
		return fmt.Errorf("-probe=%v: must be at least 1s", f.probeTime)
	}
	return nil
}

// runs returns an error for flags that a search cannot honour.
func (f *search) runs(o *plan.Options) error {
	if err := o.Untraced(); err != nil {
		return err
	}
	return f.settings.Undisturbed(o, "", "a search for capacity takes neither -fault nor profiles: use Rate")
}

func (f *search) capacities(o *plan.Options, t plan.Target) (list []plan.Leaf) {
	for _, c := range f.Calls(o, t, "Capacity") {
		for _, objective := range f.slos.Values {
			l := capacityLeaf{Leaf: c.Driven("slo="+objective.name, o.Workers), search: f, options: o, slo: objective}
			l.Search, l.Within = f.takes(), objective.latency
			list = append(list, l)
		}
	}
	return list
}

func (f *search) loads(o *plan.Options, t plan.Target) (list []plan.Leaf) {
	for _, c := range f.Calls(o, t, "Load") {
		for _, percent := range f.percents.Values {
			driven := c.Driven(fmt.Sprintf("load=%d%%", percent), o.Workers)
			l := loadLeaf{capacityLeaf{Leaf: driven, search: f, options: o, slo: f.slos.Values[0]}, percent}
			l.SharesSearch, l.Search, l.Within = true, f.takes(), l.slo.latency
			list = append(list, l)
		}
	}
	return list
}

// takes is about what a search takes: some probes are short, few are needed
// twice.
func (f *search) takes() time.Duration {
	if f.settings.Load.Smoke() {
		return smokeProbe
	}
	return 6 * f.probeTime
}

// smokeProbe is the one probe of a search where benchmarks run once, to see that
// they run.
const smokeProbe = 60 * time.Millisecond

// capacityLeaf is a search for the capacity by an objective.
type capacityLeaf struct {
	call.Leaf
	*search
	options *plan.Options
	slo     slo
}

var _, _ rig.Measurer = capacityLeaf{}, loadLeaf{}

// Measure searches in the first round, in which package testing asks for one call.
// Later rounds report the same result again.
func (l capacityLeaf) Measure(r *rig.Round) error {
	if err := r.Ready(); err != nil {
		return err
	}
	limit, err := l.limit(r, r.N == 1)
	if err != nil {
		return err
	}
	for _, p := range limit.Probes {
		if r.Rig.Load.Smoke() || p.Holds && p.Rate <= limit.Rate*1.01 { // the fastest comes last
			loadbench.Report(r.Bench, loadbench.Measured{Result: p.Result, Rounds: r.Rig.Rounds}.Metrics(r.Rig.Output.Detail)...)
			loadbench.Report(r.Bench, load.PartMetrics(p.Result, r.Rig.Rounds)...)
		}
	}
	loadbench.Report(r.Bench, call.TakenOf(r.Sizes).Metrics(limit.Rate)...)
	loadbench.Report(r.Bench,
		loadbench.Metric{Value: limit.Rate, Unit: "calls/s"},
		loadbench.Metric{Value: limit.Low, Unit: "low-calls/s"},
		loadbench.Metric{Value: limit.High, Unit: "high-calls/s"},
		loadbench.Metric{Value: 0, Unit: "ns/op"},
		r.Connections(slices.ContainsFunc(limit.Probes, func(p capacity.Probe) bool { return p.Result.Failed > 0 })))
	return nil
}

// limit returns the capacity of the variant for what is called, the objective, the network
// and the server's cores. It searches once and keeps the answer; anew forces a new search.
func (l capacityLeaf) limit(r *rig.Round, anew bool) (*capacity.Result, error) {
	key := limitOf{r.Testbed, fmt.Sprintf("%s %s %s %s %s", r.ID(), l.What, l.slo.name, r.Network.Name, r.Cores)}
	if limit := l.found[key]; limit != nil && !anew {
		return limit, nil
	}
	limit, err := l.find(r)
	if err != nil {
		return nil, r.GiveUp(err)
	}
	l.found[key] = limit
	return limit, nil
}

// find searches for the capacity with the calls of the round's load.
func (l capacityLeaf) find(r *rig.Round) (*capacity.Result, error) {
	name, patience := r.Bench.Name(), r.Rig.Load.Patience(r.Case)
	s := capacity.Config{
		Quantile: l.slo.quantile, Latency: l.slo.latency, ErrorRate: maxErrors,
		Workers: l.Workers, Timeout: r.Timeout,
		Schedule: l.at, ProbeTime: l.probeTime, Batch: l.probeTime / probeBatches,
		Drain: load.DrainAfter(patience), Slack: time.Nanosecond, OnProgress: r.Watch(patience),
		OnProbe: func(p capacity.Probe) { ledger.Progress("# %s: %s", name, p) },
	}
	if r.Rig.Load.Smoke() { // the search only has to run, however slow the machine is
		s.ProbeTime, s.Batch = smokeProbe, smokeProbe/6
		s.Latency, s.MaxProbes = time.Minute, 1
	}
	limit, err := capacity.Find(context.Background(), s, r.Load.Loads)
	if err != nil {
		return nil, err
	}
	ledger.Progress("# %s: %.0f calls/s, from %.0f to %.0f", name, limit.Rate, limit.Low, limit.High)
	var doubts []string
	for _, w := range limit.Warnings {
		doubts = append(doubts, w.Error())
	}
	r.Rig.Ledger.Warn(name, doubts...)
	return limit, nil
}

// at is the schedule of a rate, which other processes can make too.
func (l capacityLeaf) at(rate float64) loadgen.Schedule {
	return load.AtRate{Schedule: l.options.Schedule(rate), Rate: rate}
}

// maxErrors is the share of calls that may fail at a rate that meets an slo.
const maxErrors = .001

// probeBatches is how many batches a probe has at most.
const probeBatches = 60

// loadLeaf is an open loop at a share of the capacity.
type loadLeaf struct {
	capacityLeaf
	percent int
}

// smokeRate, in calls per second, stands for the capacity when a benchmark runs only
// once.
const smokeRate = 1000

// Measure implements rig.Measurer.
func (l loadLeaf) Measure(r *rig.Round) error {
	if err := r.Ready(); err != nil {
		return err
	}
	capacity := float64(smokeRate)
	if !r.Rig.Load.Smoke() {
		limit, err := l.limit(r, false)
		if err != nil {
			return err
		}
		capacity = limit.Rate
	}
	offered := math.Round(capacity * float64(l.percent) / 100)
	cfg := r.Config()
	cfg.Schedule = l.at(offered)
	o := newOverload(r, l, capacity, &cfg)
	m, err := r.Run(cfg)
	m.More = append(m.More, loadbench.Metric{Value: offered, Unit: "offered/s"})
	o.wait()
	if err == nil {
		o.add(&m, cfg.Schedule)
	}
	err = r.Report(m, err)
	if o.lost() {
		r.Close() // the next round starts with new servers
	}
	return err
}
