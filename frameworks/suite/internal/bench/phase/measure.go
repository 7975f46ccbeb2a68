package phase

import (
	"errors"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tide"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// run is a run that was made for all lines.
type run struct {
	*loadgen.Result
	line   []loadbench.Metric // of the whole run; nil if a phase has made it
	start  time.Time
	early  error    // why it ended early; nil if it did not
	doubts []string // about all its figures
	err    error    // why there is no result
}

// smokeCalls are the calls where benchmarks only have to run.
const smokeCalls = 50

// Measure makes the run if no line of the same -count has made it. It lasts as long as the
// schedule, whatever b.N is. Later rounds report the same again.
func (l leaf) Measure(r *rig.Round) error {
	one := l.runOf(r)
	if one.err != nil {
		return one.err
	}
	if l.phase == whole {
		loadbench.Report(r.Bench, one.line...)
		return nil
	}
	r.ReportPart(l.part(one, r))
	return nil
}

// runOf returns the run of a line. Package testing asks for one call in the first round of
// each of -count lines.
func (l leaf) runOf(r *rig.Round) *run {
	if r.N == 1 {
		l.told[l.phase]++
	}
	if at := l.told[l.phase]; at <= len(l.runs) {
		return l.runs[at-1]
	}
	one := l.make(r)
	l.runs = append(l.runs, one)
	return one
}

// ofPhase is the benchmark of a phase, which makes the run for all lines. What is allocated in
// the run is not of the phase.
type ofPhase struct{ load.Bench }

// ReportAllocs implements loadbench.Bench.
func (ofPhase) ReportAllocs() {}

func (l leaf) make(r *rig.Round) (one *run) {
	one = new(run)
	if one.err = r.Ready(); one.err != nil {
		return one
	}
	if l.phase != whole {
		r.Bench = ofPhase{r.Bench}
	}
	if r.N = int(l.numbers().All()); r.Rig.Load.Smoke() {
		r.N = min(r.N, smokeCalls)
	}
	cfg, used := r.Config(), probe.Heap{}
	if _, here := r.Load.(*load.Local); here { // other clients tell what they allocate
		used.During(&cfg)
	}
	m, err := r.Run(cfg)
	m.More = append(m.More, used.Metrics(m)...)
	one.Result, one.early, one.start = m.Result, err, r.Probe.Started
	if m.Result != nil {
		m.More = append(m.More, loadbench.Metric{Value: float64(l.numbers().All()) / l.tide.Length().Seconds(), Unit: "offered/s"})
	}
	one.doubts = append(r.Probe.Doubts(m, err), m.Doubts...)
	if l.phase == whole || m.Result == nil || m.OK == 0 {
		one.line, one.err = r.Reported(m, err)
		return one
	}
	if err != nil { // the next round starts with new servers and a new load
		r.Close()
	}
	return one
}

// part returns what a run says of the line's phase.
func (l leaf) part(one *run, r *rig.Round) rig.Part {
	p := rig.Part{Result: l.resultOf(one), Start: one.start, Err: one.early, Doubts: one.doubts}
	rate := loadbench.Metric{Value: l.tide.Achieved(one.Series)[l.phase], Unit: "calls/s"}
	p.Metrics = append(r.Throughput(rate.Value), rate, loadbench.Metric{Value: l.offered(), Unit: "offered/s"})
	for _, m := range (loadbench.Measured{Result: p.Result, Rounds: r.Rig.Rounds}).Metrics(r.Rig.Output.Detail) {
		if m.Unit != rate.Unit {
			p.Metrics = append(p.Metrics, m)
		}
	}
	after, err := l.tide.Settled(l.phase, one.Series)
	switch {
	case r.Rig.Load.Smoke() || errors.Is(err, tide.ErrNoStep):
	case err != nil:
		p.Lacks = []string{"settle-ns: " + err.Error()}
	default:
		p.Metrics = append(p.Metrics, loadbench.Metric{Value: float64(after), Unit: "settle-ns"})
	}
	return p
}

// resultOf returns the result of the calls that were due in the phase.
func (l leaf) resultOf(one *run) *loadgen.Result {
	for _, p := range one.Parts {
		if p.Name == l.tide.Phases[l.phase].Name {
			return p.Result
		}
	}
	return new(loadgen.Result) // it had no call to make
}

// offered is the rate of the phase that the schedule asks for.
func (l leaf) offered() float64 {
	return float64(l.numbers().Due[l.phase]) / l.tide.Phases[l.phase].Length.Seconds()
}
