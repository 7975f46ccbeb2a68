package suite

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Capacity searches for the highest rate of calls of Echo that meets each
// objective of -slo, p99 within 5 ms by default, with at most one call in a
// thousand failing, by an open loop of at most -workers calls in flight:
//
//	BenchmarkCapacity/framework=/transport=/codec=/size=/slo=
//
// calls/s is that rate and low-calls/s to high-calls/s its interval, see
// loadgen.Capacity; p50-ns and p99-ns are of the fastest probe that held. Where
// the two are far apart, latency hardly depends on the rate near the objective,
// as when pauses make it: another objective says more. A search takes one to two
// minutes, and up to five there, whatever -benchtime says, and is made once for
// each -count. Its probes are told on stderr, if stdout is a file or pipe
// that stderr does not go to as well.
func Capacity(b *testing.B) { capacity.run(b) }

var capacity = &suite{name: "Capacity", leaves: func(f *flags, _ target) (list []leaf) {
	for _, size := range f.sizes {
		for _, o := range f.slos {
			l := echoLeaf(f.workers, size)
			l.keys = fmt.Sprintf("size=%s/slo=%s", formatSize(size), o.name)
			l.slo = o
			list = append(list, l)
		}
	}
	return list
}}

// Load measures latency against load: an open loop of calls of Echo at each
// -load, a percentage of the capacity by the first of -slo, which is searched
// for once for a variant and size, see Capacity:
//
//	BenchmarkLoad/framework=/transport=/codec=/size=/load=
//
// offered/s is the rate that was offered.
func Load(b *testing.B) { sweep.run(b) }

var sweep = &suite{name: "Load", leaves: func(f *flags, _ target) (list []leaf) {
	for _, size := range f.sizes {
		for _, percent := range f.percents {
			l := echoLeaf(f.workers, size)
			l.keys = fmt.Sprintf("size=%s/load=%d%%", formatSize(size), percent)
			l.slo, l.percent = f.slos[0], percent
			list = append(list, l)
		}
	}
	return list
}}

// slo is a latency objective, as in p99-5ms.
type slo struct {
	name     string
	quantile float64
	latency  time.Duration
}

// maxErrors is the share of calls that may fail at a rate that meets an slo.
const maxErrors = .001

func parseSLO(s string) (*slo, error) {
	percentile, latency, _ := strings.Cut(s, "-")
	p, err := strconv.ParseFloat(strings.TrimPrefix(percentile, "p"), 64)
	d, derr := time.ParseDuration(latency)
	if !strings.HasPrefix(s, "p") || cmp.Or(err, derr) != nil || !(p > 0 && p < 100) || d <= 0 {
		return nil, fmt.Errorf("%q is no objective such as p99-5ms, of a percentile between 0 and 100 and a time more than 0", s)
	}
	return &slo{s, p / 100, d}, nil
}

// measureCapacity searches for the capacity of a case and reports it. Rounds
// after the first, in which testing asks for one call, have its answer.
func (t *bed) measureCapacity(b *testing.B, c benchCase) {
	limit := t.limits[c.keys()]
	if limit == nil || b.N == 1 {
		var err error
		if limit, err = t.findCapacity(b.Name(), c); err != nil {
			b.Fatal(t.giveUp(err))
		}
	}
	for _, p := range limit.Probes {
		if p.Holds && p.Rate <= limit.Rate*1.01 { // the fastest comes last
			m := measured{Measured: loadbench.Measured{Result: p.Result}}
			loadbench.Report(b, m.Metrics(env.detail)...)
		}
	}
	loadbench.Report(b,
		loadbench.Metric{Value: limit.Rate, Unit: "calls/s"},
		loadbench.Metric{Value: limit.Low, Unit: "low-calls/s"},
		loadbench.Metric{Value: limit.High, Unit: "high-calls/s"},
		loadbench.Metric{Value: 0, Unit: "ns/op"},
		loadbench.Metric{Value: float64(t.conns(c)), Unit: "conns"})
}

// findCapacity searches for the capacity of a case, and keeps it.
func (t *bed) findCapacity(name string, c benchCase) (*loadgen.Limit, error) {
	cfg := loadgen.Config{
		Workers: c.workers, Timeout: env.timeout, Progress: t.watch(c.patience),
		Duration: env.probeFor, Interval: env.probeFor / probeBatches,
	}
	o := loadgen.Objective{
		Quantile: c.slo.quantile, Latency: c.slo.latency, ErrorRate: maxErrors,
		Schedule: env.arrivals,
		Probed:   func(p loadgen.Probe) { env.tell("# %s: %s\n", name, p) },
	}
	if env.once { // only to see that it runs, however slow the machine is
		cfg.Duration, cfg.Interval = 60*time.Millisecond, 10*time.Millisecond
		o.Latency, o.MaxProbes = time.Minute, 1
	}
	limit, err := t.load.(*local).capacity(cfg, o)
	if err != nil {
		return nil, err
	}
	env.tell("# %s: %.0f calls/s, from %.0f to %.0f\n", name, limit.Rate, limit.Low, limit.High)
	var doubts []string
	for _, w := range limit.Warnings {
		doubts = append(doubts, w.Error())
	}
	env.note(env.warned, name, strings.Join(doubts, "; "))
	if t.limits == nil {
		t.limits = map[string]*loadgen.Limit{}
	}
	t.limits[c.keys()] = limit
	return limit, nil
}

// probeBatches is how many batches a probe has at most.
const probeBatches = 60

// onceRate stands for the capacity where a benchmark runs once.
const onceRate = 1000

// offer sets the rate of a case of Load.
func (t *bed) offer(b *testing.B, c *benchCase) error {
	rate, of := float64(onceRate), *c
	of.leaf.keys, _, _ = strings.Cut(c.leaf.keys, "/load=")
	if !env.once {
		limit := t.limits[of.keys()]
		if limit == nil {
			var err error
			if limit, err = t.findCapacity(b.Name(), of); err != nil {
				return err
			}
		}
		rate = limit.Rate
	}
	c.offered = math.Round(rate * float64(c.percent) / 100)
	c.schedule = env.arrivals(c.offered)
	return nil
}

// capacity searches by the calls of this load.
func (t *local) capacity(cfg loadgen.Config, o loadgen.Objective) (*loadgen.Limit, error) {
	cfg.Check = t.checkAfter(cfg.Check)
	return loadgen.Capacity(context.Background(), cfg, t.call, o)
}

// canSearch says what of the flags a search has no use for.
func (e *environment) canSearch() error {
	switch {
	case e.clients > 1:
		return fmt.Errorf("-clients=%d: a search for capacity needs the calls of one client", e.clients)
	case e.fault != "" || e.profiles.wanted():
		return fmt.Errorf("a search for capacity takes neither -fault nor profiles: use Rate")
	}
	return nil
}

// tell prints progress where that can split no result line.
func (e *environment) tell(format string, args ...any) {
	out, err := os.Stdout.Stat()
	if err != nil || out.Mode()&os.ModeCharDevice != 0 {
		return
	}
	if errOut, err := os.Stderr.Stat(); err == nil && !os.SameFile(out, errOut) {
		fmt.Fprintf(os.Stderr, format, args...)
	}
}
