package loadgen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// The search has up to three phases. A single caller is measured first: the
// callee is idle then, so an objective that this caller does not see met cannot be
// met at any rate. The rate is then doubled, or halved, until one rate holds and
// another fails, and bisected between the two. Bisection is fast, but it trusts
// every verdict, so one wrong verdict leads it to a wrong rate for good. In the
// last phase all probes are therefore fitted together (see fit.go), and more are
// made if the fit shows that the verdicts were partly chance.
const (
	resolution = .01  // bisection ends when the last rates that held and failed differ by this share
	lowestRate = 1e-2 // no rate is tried below this share of the first
	exact      = .05  // probes go on until the fitted rate is known to within this share
	farther    = 1.5  // the last probes are within this factor of where bisection ended
	vague      = .5   // a fitted rate that is not known to within this share says nothing
	idleFor    = time.Second
)

// finder is a search under way.
type finder struct {
	Search
	Capacity
	ctx context.Context
	run Runner

	first  float64 // rate of the first probe
	holds  float64 // highest rate that held in the bisection; 0 before one did
	fails  float64 // lowest rate that failed in the bisection; +Inf before one did
	failed Probe   // the probe at that rate
	goesOn bool    // bisection has ended at a rate that is chance, and probes go on
}

// alone runs a single caller that calls again as soon as it has its reply. With
// one call in flight nothing queues, so the result shows the callee at rest.
func (f *finder) alone(d time.Duration, calls int64) (*Result, error) {
	cfg := f.config()
	cfg.Workers, cfg.Schedule, cfg.Duration, cfg.Calls, cfg.Warmup = 1, ClosedLoop, d, calls, 0
	res, err := f.run(f.ctx, cfg)
	if err == nil && hangs(res) {
		err = errHang
	}
	return res, err
}

var errHang = errors.New("loadgen: calls do not return, so that no probe would find the callee idle")

func hangs(res *Result) bool {
	return slices.ContainsFunc(res.Warnings, func(w error) bool { return errors.Is(w, ErrUnfinished) })
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
		return fmt.Errorf("loadgen: no call succeeded, of one caller alone: %s", res.Failures())
	}
	if surely(res.Failed, res.Sent, f.ErrorRate) {
		return fmt.Errorf("loadgen: %d of %d calls of one caller alone fail, more than ErrorRate %v: %s", res.Failed, res.Sent, f.ErrorRate, res.Failures())
	}
	if over := res.Response.over(f.Latency); over == res.Sent || surely(over, res.Sent, 1-f.Quantile) {
		return fmt.Errorf("loadgen: %s cannot be met: even for one caller alone it is %v", f.objective(), rounded(res.Response.Quantile(f.Quantile)))
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

// over returns how many values were over d, to within 0.1 %.
func (h *Histogram) over(d time.Duration) (n int64) {
	if h.counts == nil {
		return 0
	}
	for _, m := range h.counts[bucketOf(d)+1:] {
		n += m
	}
	return n
}

// search makes probes until the answer is known or MaxProbes are made. It gives
// up when the rate has been halved down to a hundredth of the first: the objective
// then fails for a reason that load does not explain.
func (f *finder) search() error {
	for rate := f.first; ; rate = f.next() {
		if rate < f.first*lowestRate {
			last := f.Probes[len(f.Probes)-1]
			return fmt.Errorf("loadgen: no rate meets %s: even %s; one caller alone sees %v", f.objective(), last, rounded(f.Idle.Response.Quantile(f.Quantile)))
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
	return ok && f.failed.late && l.reach > exact*l.rate
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
	for begin := time.Now(); !p.Holds && time.Since(begin) < defaultDrain; {
		res, err := f.alone(defaultDrain, 1)
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
	j := &judge{Search: f.Search, rate: rate}
	cfg := f.config()
	cfg.Schedule, cfg.OnProgress = f.arrivals(rate), j.hear
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
func (f *finder) arrivals(rate float64) Schedule {
	if f.Schedule != nil {
		return f.Schedule(rate)
	}
	return Poisson(rate, uint64(len(f.Probes))+1)
}

// conclude says what the probes have found. Without a line, the bounds are those
// of the certain verdicts and the rate is the middle of the bisection; where no
// probe failed, it is the highest rate tried. doubts and trend are about late
// calls, so they are left out if failed calls set the limit.
func (f *finder) conclude() {
	f.Low, f.High = f.certain()
	f.Rate = f.holds
	if l, ok := f.fit(); f.holds > 0 && !math.IsInf(f.fails, 1) {
		f.Rate = (f.holds + f.fails) / 2
		if ok {
			f.answer(l)
		}
	}
	if !f.failed.late {
		return
	}
	f.Warnings = append(f.Warnings, f.doubts(f.failed)...)
	if t, ok := f.trend(); ok && !t.rises() {
		f.Low, f.High = 0, math.Inf(1)
		f.Warnings = append(f.Warnings, f.notTheRate(t))
	}
}

// answer takes what the line says, as far as it can be trusted. A vague line only
// widens the bounds. If the search went on after bisection, the verdicts were
// partly chance, and the line's rate is taken as it is. Else line and bisection
// agree to within the line's error; the line then only refines the rate, by at
// most 2 % beyond the last probes, and the bounds enclose those too.
func (f *finder) answer(l fit) {
	f.Low, f.High = max(l.rate-l.reach, 0), l.rate+l.reach
	switch {
	case l.reach > vague*l.rate:
		f.Low, f.High = min(f.Low, f.Rate), max(f.High, f.Rate)
	case f.goesOn:
		f.Rate = l.rate
	default:
		f.Low, f.High = min(f.holds, f.Low), max(f.fails, f.High)
		f.Rate = min(max(l.rate, f.holds*.98), f.fails*1.02)
	}
	f.Warnings.add(l.spread > muchSpread, ErrSpread, "from one probe to the next the share of late calls changes by a factor of %.1f", math.Exp(l.spread))
}

// certain returns the highest rate that certainly holds and the lowest that
// certainly fails.
func (f *finder) certain() (low, high float64) {
	high = math.Inf(1)
	for _, p := range f.Probes {
		switch {
		case p.Certain && p.Holds:
			low = max(low, p.Rate)
		case p.Certain:
			high = min(high, p.Rate)
		}
	}
	return low, high
}

// doubts says why something else than the callee may have made a probe fail: the
// generator, the machine's host, or too few Workers. Service within the latency,
// in a probe whose responses were not, means that the calls waited for a worker.
func (f *finder) doubts(p Probe) (list []error) {
	at := fmt.Sprintf("at %.0f calls/s", p.Rate)
	for _, w := range p.Result.Warnings {
		if errors.Is(w, ErrGenerator) || errors.Is(w, ErrHost) {
			list = append(list, fmt.Errorf("%s: %w", at, w))
		}
	}
	if service := p.Result.Service.Quantile(f.Quantile); service <= f.Latency {
		list = append(list, fmt.Errorf("%s calls waited to be sent, and then took no more than %v: more Workers than %d may do more", at, rounded(service), f.Workers))
	}
	return list
}
