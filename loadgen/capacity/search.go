package capacity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
)

// The search has up to three phases. A single caller is measured first: the
// callee is idle then, so an objective that this caller does not see met cannot be
// met at any rate. The rate is then doubled, or halved, until one rate holds and
// another fails, and bisected between the two. Bisection is fast, but it trusts
// every verdict, so one wrong verdict leads it to a wrong rate for good. In the
// last phase all probes are therefore fitted together (see fit), and more are
// made if the fit shows that the verdicts were partly chance.
const (
	lowestRate = 1e-2 // no rate is tried below this share of the first
	known      = .05  // probes go on until the fitted rate is known to within this share
	farther    = 1.5  // the last probes are within this factor of where bisection ended
	vague      = .5   // a fitted rate that is not known to within this share says nothing
	idleFor    = time.Second
	settleFor  = 10 * time.Second // a single caller calls after a failed probe, for this long at most
)

// finder is a search under way.
type finder struct {
	Config
	Result
	ctx context.Context
	run loadgen.Runner

	first  float64 // rate of the first probe
	holds  float64 // highest rate that held in the bisection; 0 before one did
	fails  float64 // lowest rate that failed in the bisection; +Inf before one did
	failed Probe   // the probe at that rate
	goesOn bool    // bisection has ended at a rate that is chance, and probes go on
}

// alone runs a single caller that calls again as soon as it has its reply. With
// one call in flight nothing queues, so the result shows the callee at rest.
func (f *finder) alone(d time.Duration, calls int64) (*loadgen.Result, error) {
	cfg := f.runConfig()
	cfg.Workers, cfg.Schedule, cfg.Duration, cfg.Calls, cfg.Warmup = 1, loadgen.ClosedLoop, d, calls, 0
	res, err := f.run(f.ctx, cfg)
	if err == nil && hangs(res) {
		err = errHang
	}
	return res, err
}

var errHang = errors.New("capacity: calls do not return, so that no probe would find the callee idle")

func hangs(res *loadgen.Result) bool {
	return slices.ContainsFunc(res.Warnings, func(w error) bool { return errors.Is(w, loadgen.ErrUnfinished) })
}

// idle measures a single caller, who must see the objective met. Half of this
// caller's rate is the first to be probed: a callee that serves one call at a time
// is then half busy, and one that serves many is reached in a few doublings.
func (f *finder) idle() error {
	res, err := f.alone(min(idleFor, f.ProbeTime), 0)
	if err != nil {
		return err
	}
	f.Idle = res
	if res.OK == 0 {
		return fmt.Errorf("capacity: no call succeeded, of one caller alone: %s", res.Failures())
	}
	if surely(res.Failed, res.Sent, f.ErrorRate) {
		return fmt.Errorf("capacity: %d of %d calls of one caller alone fail, more than ErrorRate %v: %s", res.Failed, res.Sent, f.ErrorRate, res.Failures())
	}
	if over := res.Response.Over(f.Latency); over == res.Sent || surely(over, res.Sent, 1-f.Quantile) {
		return fmt.Errorf("capacity: %s cannot be met: even for one caller alone it is %s", f.objective(), shown(max(res.Response.Quantile(f.Quantile), f.Latency+1), f.Latency))
	}
	f.first = res.Goodput() / 2
	return nil
}

// surely reports whether n of all are more than the allowed share by more than
// chance: by three standard errors of independent calls. For few calls standard
// errors are too narrow a bound, so up to one call more is granted; where none is
// allowed, none is granted.
func surely(n, all int64, allowed float64) bool {
	mean := allowed * float64(all)
	return float64(n) > mean+3*math.Sqrt(mean*(1-allowed))+min(1, mean)
}

// search makes probes until the answer is known or MaxProbes are made. It gives
// up when the rate has been halved down to a hundredth of the first: the objective
// then fails for a reason that load does not explain.
func (f *finder) search() error {
	for rate := f.first; ; rate = f.next() {
		if rate < f.first*lowestRate {
			last := f.Probes[len(f.Probes)-1]
			return fmt.Errorf("capacity: no rate meets %s: even %s; one caller alone sees %v", f.objective(), last, figure.Rounded(f.Idle.Response.Quantile(f.Quantile)))
		}
		p, err := f.probe(rate)
		if err != nil {
			return err
		}
		f.take(p)
		if f.done() {
			return nil
		}
		if err := f.settle(p); err != nil {
			return err
		}
	}
}

// take adds a probe to those made, and narrows the bisection by it. Probes after
// the bisection leave its two rates alone and count for the fit only.
func (f *finder) take(p Probe) {
	switch {
	case f.bisected():
	case p.Holds:
		f.holds = p.Rate
	default:
		f.fails, f.failed = p.Rate, p
	}
	f.Probes = append(f.Probes, p)
	if f.OnProbe != nil {
		f.OnProbe(p)
	}
}

func (f *finder) done() bool {
	return f.bisected() && !f.mustGoOn() || len(f.Probes) >= f.MaxProbes
}

func (f *finder) bisected() bool { return f.fails <= f.holds*(1+resolution) }

// mustGoOn reports whether bisection ended at a rate that is chance, and more
// probes can help. They can where latency made the probe fail and the fitted line
// rises: each further probe then makes the line's crossing better known. Failed
// calls are not in the fit, so it says nothing about a limit set by them.
func (f *finder) mustGoOn() bool {
	l, ok := f.fit()
	return ok && f.failed.late && l.reach > known*l.rate
}

// next is the rate of the next probe. In the last phase it is where the line
// meets the objective, since probes near there tell the most about that rate; a
// line through few probes may cross far away, so the rate is kept near that of the
// bisection.
func (f *finder) next() float64 {
	switch {
	case f.bisected():
		f.goesOn = true
		l, _ := f.fit()
		return min(max(l.rate, f.holds/farther), f.fails*farther)
	case f.holds == 0:
		return f.fails / 2
	case math.IsInf(f.fails, 1):
		return f.holds * 2
	}
	return (f.holds + f.fails) / 2
}

// settle waits after a failed probe until a single caller is answered in time,
// but tries that for no more than 10 s. The callee may still work on calls that have
// timed out, and the next probe would be blamed for them. A callee that is slow
// for longer is probed all the same: the probe's own verdict then shows it.
func (f *finder) settle(p Probe) error {
	for begin := time.Now(); !p.Holds && time.Since(begin) < settleFor; {
		res, err := f.alone(settleFor, 1)
		if err != nil {
			return err
		}
		if res.OK == 1 && res.Response.Max() <= f.Latency {
			return nil
		}
	}
	return nil
}

// probe makes a run at a rate and judges it. The loop is open, so that a callee
// that falls behind is not spared. Each interval of the run is a batch.
func (f *finder) probe(rate float64) (Probe, error) {
	j := &judge{Config: f.Config, rate: rate}
	cfg := f.runConfig()
	cfg.Schedule, cfg.OnProgress = f.arrivals(rate), j.onProgress
	cfg.Duration = 2 * f.ProbeTime // only a bound: the judge ends the run at ProbeTime at the latest
	res, err := f.run(f.ctx, cfg)
	if err != nil && !errors.Is(err, errFails) {
		return Probe{}, err
	}
	if hangs(res) {
		return Probe{}, fmt.Errorf("%w, after %.0f calls/s", errHang, rate)
	}
	return j.verdict(res), nil
}

// arrivals are others for each probe, even at the same rate: were they the same,
// an unlucky burst would be in all of them, and would look like load.
func (f *finder) arrivals(rate float64) loadgen.Schedule {
	if f.Schedule != nil {
		return f.Schedule(rate)
	}
	return loadgen.Poisson(rate, uint64(len(f.Probes))+1)
}

// fit fits a line to the probes so far.
func (f *finder) fit() (l fit, ok bool) { return fitTo(f.Probes, f.Quantile, f.holds) }
