package loadgen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Objective is what a callee must do for its users at a rate, and how the
// highest such rate is searched for.
type Objective struct {
	// Quantile of the responses, more than 0 and less than 1, must be at most
	// Latency: .99 for p99.
	Quantile float64
	Latency  time.Duration
	// ErrorRate is the share of calls that may fail, from 0, for none, to less
	// than 1.
	ErrorRate float64

	// Schedule makes the arrivals of a rate per second; nil for Poisson, with
	// other arrivals for each probe.
	Schedule func(rate float64) Schedule
	// MaxProbes bounds the search; 0 is 20 probes. It takes about ten, and all
	// of them where latency hardly depends on the rate.
	MaxProbes int
	// OnProbe is called after each probe.
	OnProbe func(Probe)
}

// Limit is the highest rate that meets an objective.
type Limit struct {
	// Rate is the highest offered rate, in calls per second, that meets the
	// objective; 0 when no probe did, of few.
	Rate float64
	// Low and High are where it may be in 95 of 100 searches, and at least as
	// far apart as the last probes. High is +Inf when no probe failed.
	Low, High float64
	// Idle is one caller alone, before the search.
	Idle *Result
	// Probes are all that were made, in their order.
	Probes []Probe
	// Warnings say why the callee may hold more than Rate, or another rate at
	// another time.
	Warnings Warnings
}

// Probe is a run at one rate.
type Probe struct {
	Rate float64 // calls per second that were offered
	// Holds is whether the objective was met. It is Certain when batch means
	// said so before the time was over.
	Holds, Certain bool
	Why            string
	Result         *Result

	odds, oddsErr float64 // log odds of a call to be over the latency, against the objective's
	late          bool    // it was the latency that decided
}

// String is one line of a search's progress.
func (p Probe) String() string {
	verdict := "fails"
	if p.Holds {
		verdict = "holds"
	}
	if !p.Certain {
		verdict += ", not certain"
	}
	return fmt.Sprintf("%.0f calls/s: %s: %s", p.Rate, verdict, p.Why)
}

// What Capacity takes for zero values, and how it searches.
const (
	defaultProbe    = 15 * time.Second
	defaultBatch    = 250 * time.Millisecond
	defaultProbes   = 20
	warmBatches     = 2    // per probe
	decisiveBatches = 24   // per probe, at least
	decisiveErrors  = 3    // standard errors
	resolution      = .01  // of the rate between the last that holds and the first that fails
	lowestRate      = 1e-2 // of the first probe's
	exact           = .05  // of the rate: probes go on near it until it is known within so much
	farther         = 1.5  // times, from where bisection ended, may be the last probes
	vague           = .5   // of the rate: a line that crosses the objective within more says nothing
	idleFor         = time.Second
)

// Capacity searches for the highest offered rate that meets an objective: it
// doubles the rate until a probe fails, and then bisects down to 1 %. A probe
// lasts until it is certain by batch means: until the number of calls over the
// latency, less those that may be, differs from 0 by three standard errors of
// at least 24 batches, see Confidence. Fewer would take a queue that is still
// growing for a short one. At the end, the odds of a call to be over the latency
// are fitted over the rates of all probes near the objective, each weighted by
// how well it is known, and Rate is where they cross it: for an M/M/1 queue
// served at μ, P(response > x) = exp(−(μ−λ)x), a straight line. Rate stays
// within 2 % of the last probes all the same.
//
// Where pauses make the late calls, of the callee or of the machine, their share
// grows slowly with the rate and is another for each probe, so that bisection
// ends by luck. The fit says so, and probes go on where it crosses the objective,
// up to MaxProbes, until that is known within 5 %; Rate is then the fit's.
//
// cfg describes a probe. Its Workers must be more than are ever in flight, or
// they are what is measured. Schedule is left empty, see Objective.Schedule, as
// are Calls, Until, MaxLag and MaxBacklog. Duration is the most a probe may
// take, 0 for 15 s; Interval is a batch, 0 for 0.25 s; Warmup is per probe, 0
// for two batches. OnStart, OnStop and OnProgress are called for every run. A
// search takes one to two minutes, and up to five where probes go on.
//
// All calls of a probe have returned before the next, and after one that failed
// a caller alone must be answered in time before it goes on.
//
// The error, beside what was found until then, is a bad cfg or Objective, an
// objective that one caller alone does not see met, calls that all fail or do
// not return, no rate that holds, or that of Run.
func Capacity(ctx context.Context, cfg Config, call Call, o Objective) (*Limit, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if err := searchable(cfg); err != nil {
		return nil, err
	}
	s := &search{Objective: o, ctx: ctx, cfg: cfg, call: call}
	s.setDefaults()
	if err := s.idle(); err != nil {
		return nil, err
	}
	err := s.run()
	s.conclude()
	return &s.Limit, err
}

func (o Objective) validate() error {
	switch {
	case !(o.Quantile > 0 && o.Quantile < 1):
		return fmt.Errorf("loadgen: Objective.Quantile is %v: it must be more than 0 and less than 1, as .99 is for p99", o.Quantile)
	case o.Latency <= 0:
		return fmt.Errorf("loadgen: Objective.Latency is %v: it must be more than 0", o.Latency)
	case !(o.ErrorRate >= 0 && o.ErrorRate < 1):
		return fmt.Errorf("loadgen: Objective.ErrorRate is %v: it must be from 0 to less than 1", o.ErrorRate)
	case o.MaxProbes < 0:
		return fmt.Errorf("loadgen: Objective.MaxProbes is %d: it must not be negative", o.MaxProbes)
	}
	return nil
}

// searchable says what of a Config has no meaning in a search.
func searchable(cfg Config) error {
	switch {
	case cfg.Schedule != nil:
		return errors.New("loadgen: Capacity chooses the rates: leave Config.Schedule empty, and set Objective.Schedule for other arrivals than Poisson's")
	case cfg.Calls != 0 || cfg.Until != (Precision{}):
		return errors.New("loadgen: Capacity decides when a probe ends: leave Config.Calls and Until empty")
	case cfg.MaxLag != 0 || cfg.MaxBacklog != 0:
		return errors.New("loadgen: Capacity needs every call that is due: leave Config.MaxLag and MaxBacklog empty")
	}
	cfg.Schedule, cfg.Duration = ClosedLoop, cmp.Or(cfg.Duration, defaultProbe)
	return cfg.validate()
}

// search is a search under way.
type search struct {
	Objective
	Limit
	ctx  context.Context
	cfg  Config
	call Call

	first    float64 // rate
	holds    float64 // the highest that held; 0: none
	fails    float64 // the lowest that failed; +Inf: none
	failed   Probe   // that one
	goesOn   bool    // bisection has ended, where it was luck
	duration time.Duration
}

func (s *search) setDefaults() {
	if s.Schedule == nil {
		s.Schedule = func(rate float64) Schedule { return Poisson(rate, uint64(len(s.Probes))+1) }
	}
	s.MaxProbes = cmp.Or(s.MaxProbes, defaultProbes)
	s.cfg.Interval = cmp.Or(s.cfg.Interval, defaultBatch)
	s.cfg.Warmup = cmp.Or(s.cfg.Warmup, warmBatches*s.cfg.Interval)
	s.duration = cmp.Or(s.cfg.Duration, defaultProbe)
	s.cfg.Duration = 2 * s.duration // judged before
	s.fails = math.Inf(1)
}

// alone is a caller that calls again when it has its reply.
func (s *search) alone(d time.Duration, calls int64) (*Result, error) {
	cfg := s.cfg
	cfg.Workers, cfg.Schedule, cfg.Duration, cfg.Calls, cfg.Warmup = 1, ClosedLoop, d, calls, 0
	res, err := Run(s.ctx, cfg, s.call)
	if err == nil && hangs(res) {
		err = errHang
	}
	return res, err
}

var errHang = errors.New("loadgen: calls do not return, so that no probe would find the callee idle")

func hangs(res *Result) bool {
	return slices.ContainsFunc(res.ErrorKinds, func(k ErrorKind) bool { return k.Text == errUnfinished.Error() })
}

// idle measures one caller alone, who must see the objective met.
func (s *search) idle() error {
	res, err := s.alone(min(idleFor, s.duration), 0)
	if err != nil {
		return err
	}
	s.Idle = res
	if res.OK == 0 {
		return fmt.Errorf("loadgen: no call succeeded, of one caller alone: %s", res.Failures())
	}
	if surely(res.Failed, res.Sent, s.ErrorRate) {
		return fmt.Errorf("loadgen: %d of %d calls of one caller alone fail, more than ErrorRate %v: %s", res.Failed, res.Sent, s.ErrorRate, res.Failures())
	}
	if over := res.Response.over(s.Latency); over == res.Sent || surely(over, res.Sent, 1-s.Quantile) {
		return fmt.Errorf("loadgen: p%.5g ≤ %v cannot be met: even for one caller alone it is %v", s.Quantile*100, s.Latency, rounded(res.Response.Quantile(s.Quantile)))
	}
	s.first = res.Goodput() / 2
	return nil
}

// surely reports whether the share of n in all is more than it may be, and not
// by chance.
func surely(n, all int64, may float64) bool {
	mean := may * float64(all)
	return float64(n) > mean+3*math.Sqrt(mean*(1-may))+min(1, mean)
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

// rounded leaves four digits.
func rounded(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1e4 {
		unit *= 10
	}
	return d.Round(unit)
}

// run makes the probes.
func (s *search) run() error {
	for rate := s.first; ; rate = s.next() {
		if rate < s.first*lowestRate {
			last := s.Probes[len(s.Probes)-1]
			return fmt.Errorf("loadgen: no rate meets p%.5g ≤ %v: even %s; one caller alone sees %v", s.Quantile*100, s.Latency, last, rounded(s.Idle.Response.Quantile(s.Quantile)))
		}
		p, err := s.probe(rate)
		if err != nil {
			return err
		}
		s.tell(p)
		if s.found() && !s.mustGoOn() || len(s.Probes) >= s.MaxProbes {
			return nil
		}
		if err := s.settle(p); err != nil {
			return err
		}
	}
}

func (s *search) tell(p Probe) {
	switch {
	case s.found(): // bisection has ended
	case p.Holds:
		s.holds = p.Rate
	default:
		s.fails, s.failed = p.Rate, p
	}
	s.Probes = append(s.Probes, p)
	if s.OnProbe != nil {
		s.OnProbe(p)
	}
}

func (s *search) found() bool { return s.fails <= s.holds*(1+resolution) }

// mustGoOn reports whether it was luck where bisection ended, and more probes
// can help.
func (s *search) mustGoOn() bool {
	f, ok := s.fit()
	return ok && s.failed.late && f.reach > exact*f.rate
}

// next is the rate to be tried.
func (s *search) next() float64 {
	switch {
	case s.found():
		s.goesOn = true
		f, _ := s.fit()
		return min(max(f.rate, s.holds/farther), s.fails*farther)
	case s.holds == 0:
		return s.fails / 2
	case math.IsInf(s.fails, 1):
		return s.holds * 2
	}
	return (s.holds + s.fails) / 2
}

// settle waits after a failed probe until a caller alone is answered in time:
// calls that have timed out may still be worked on.
func (s *search) settle(p Probe) error {
	for begin := time.Now(); !p.Holds && time.Since(begin) < defaultDrain; {
		res, err := s.alone(defaultDrain, 1)
		if err != nil {
			return err
		}
		if res.OK == 1 && res.Response.Max() <= s.Latency {
			return nil
		}
	}
	return nil
}

// probe makes a run at a rate and judges it.
func (s *search) probe(rate float64) (Probe, error) {
	j := &judge{Objective: s.Objective, rate: rate, batch: s.cfg.Interval, most: s.duration}
	cfg, progress := s.cfg, s.cfg.OnProgress
	cfg.Schedule = s.Schedule(rate)
	cfg.OnProgress = func(p Progress) error {
		if progress != nil {
			if err := progress(p); err != nil {
				return err
			}
		}
		return j.hear(p)
	}
	res, err := Run(s.ctx, cfg, s.call)
	if err != nil && !errors.Is(err, errFails) {
		return Probe{}, err
	}
	if hangs(res) {
		return Probe{}, fmt.Errorf("%w, after %.0f calls/s", errHang, rate)
	}
	return j.verdict(res), nil
}

// conclude says what the probes have found.
func (s *search) conclude() {
	s.Low, s.High = s.certain()
	s.Rate = s.holds
	if s.holds > 0 && !math.IsInf(s.fails, 1) {
		s.Rate = (s.holds + s.fails) / 2
		if f, ok := s.fit(); ok {
			s.take(f)
		}
	}
	if s.failed.late {
		s.Warnings = append(s.Warnings, s.doubts(s.failed)...)
	}
}

// take has the answer of a fit, near that of bisection unless that was luck.
func (s *search) take(f fit) {
	s.Low, s.High = max(f.rate-f.reach, 0), f.rate+f.reach
	switch {
	case f.reach > vague*f.rate:
		s.Low, s.High = min(s.Low, s.Rate), max(s.High, s.Rate)
	case s.goesOn:
		s.Rate = f.rate
	default:
		s.Low, s.High = min(s.holds, s.Low), max(s.fails, s.High)
		s.Rate = min(max(f.rate, s.holds*.98), s.fails*1.02)
	}
	if f.mood > moody {
		s.Warnings = append(s.Warnings, fmt.Errorf("%w: from one probe to the next the share of late calls changes by a factor of %.1f", errMoody, math.Exp(f.mood)))
	}
}

var errMoody = errors.New("latency changes by itself")

// certain returns the highest rate that surely holds and the lowest that surely
// does not.
func (s *search) certain() (low, high float64) {
	high = math.Inf(1)
	for _, p := range s.Probes {
		switch {
		case p.Certain && p.Holds:
			low = max(low, p.Rate)
		case p.Certain:
			high = min(high, p.Rate)
		}
	}
	return low, high
}

// doubts says why it may not be the callee that made a probe fail.
func (s *search) doubts(p Probe) (list []error) {
	at := fmt.Sprintf("at %.0f calls/s", p.Rate)
	for _, w := range p.Result.Warnings {
		if errors.Is(w, ErrGenerator) || errors.Is(w, ErrHost) {
			list = append(list, fmt.Errorf("%s: %w", at, w))
		}
	}
	if service := p.Result.Service.Quantile(s.Quantile); service <= s.Latency {
		list = append(list, fmt.Errorf("%s calls waited to be sent, and then took no more than %v: more Workers than %d may do more", at, rounded(service), s.cfg.Workers))
	}
	return list
}
