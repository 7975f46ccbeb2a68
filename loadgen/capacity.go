package loadgen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Search describes a search for the highest rate that meets an objective. The
// zero value of every field but Quantile, Latency and Workers is a good choice.
type Search struct {
	// Quantile of the responses must be at most Latency: .99 for p99. More than
	// 0 and less than 1.
	Quantile float64
	// Latency is the bound on that quantile, more than 0.
	Latency time.Duration
	// ErrorRate is the share of calls that may fail, from 0 to less than 1. With
	// 0 a single failed call fails a probe.
	ErrorRate float64

	// Workers is the most calls in flight, more than 0. It must be more than
	// the callee ever needs, or Workers are what is measured.
	Workers int
	// Timeout, Drain, Wait and Check are as in Config.
	Timeout time.Duration
	Drain   time.Duration
	Wait    Wait
	Check   func(worker int) error

	// Schedule makes the arrivals of a rate in calls per second; nil is Poisson,
	// with other arrivals for each probe.
	Schedule func(rate float64) Schedule
	// ProbeTime is the most time that a probe takes, without its Warmup. 0 stands
	// for 15 s. A probe whose outcome is certain ends earlier, but not before it
	// has 24 batches; with fewer in ProbeTime no outcome is certain, which the
	// warning ErrFewBatches says.
	ProbeTime time.Duration
	// Batch is the length of a batch, from 10 ms to a minute; whether the outcome
	// of a probe is certain is judged by how much its batches differ. 0 stands for
	// 250 ms, or for as much less as gives ProbeTime 24 batches, but not for less
	// than 10 ms.
	Batch time.Duration
	// Warmup comes before each probe; its calls are not judged. 0 stands for two
	// batches.
	Warmup time.Duration
	// MaxProbes bounds the search. 0 stands for 20 probes. A search takes about
	// ten, and all of them where latency hardly depends on the rate.
	MaxProbes int

	// OnProbe is called after each probe.
	OnProbe func(Probe)
	// OnProgress is called after each batch of every run, as Config.OnProgress is.
	// An error that it returns ends the search, which returns it; ErrEnough ends
	// only the run under way.
	OnProgress func(Progress) error
}

// Capacity is the highest rate that meets an objective.
type Capacity struct {
	// Rate is the highest offered rate, in calls per second, that meets the
	// objective; 0 if no probe did before MaxProbes.
	Rate float64
	// Low and High, in calls per second, are on either side of the capacity in 95
	// of 100 searches. They come from the fitted line, and enclose the last two
	// rates of the bisection unless the search went on after it. Without a line
	// they are the highest rate that certainly held, or 0, and the lowest that
	// certainly failed, or +Inf. With the warning ErrNotTheRate they are 0 and +Inf.
	Low, High float64
	// Idle is the run of a single caller before the search.
	Idle *Result
	// Probes are all probes in the order in which they were made.
	Probes []Probe
	// Warnings say why the callee may hold more than Rate, or another rate at
	// another time.
	Warnings Warnings
}

// Probe is a run at one rate.
type Probe struct {
	Rate float64 // offered calls per second
	// Holds is whether the objective was met, and Certain whether the batches
	// decided that before ProbeTime was over.
	Holds, Certain bool
	Why            string // the figures that decided, in one line
	Result         *Result

	batches *shares // late calls and all, at most joinedBatches
	share   float64 // of late calls: calls over the latency
	odds    float64 // logarithm of the odds of a late call, less that of the objective's
	oddsErr float64 // its standard error, from batches
	late    bool    // latency decided, not failed calls
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

const (
	defaultProbe  = 15 * time.Second
	defaultBatch  = 250 * time.Millisecond
	minBatch      = 10 * time.Millisecond
	defaultProbes = 20
	warmBatches   = 2 // per probe
)

// FindCapacity searches for the highest offered rate that meets an objective. It
// doubles the rate until a probe fails, or halves it until one holds, and then
// bisects down to 1 %. A probe starts only when all calls of the previous one have
// returned; after a failed probe, only when a single caller is again answered in
// time, or when that has not happened for 10 s. A search takes one to two minutes,
// and up to five where it needs all of its probes.
//
// A probe lasts until its outcome is certain, or for ProbeTime. It is certain when
// the number of late calls differs from the number that may be late by three
// standard errors, which are taken from how much batches of the probe differ, of
// which there must be 24. With fewer batches a queue that is still growing would
// pass for a short one. An outcome that is not certain by the end is judged by the
// number alone.
//
// In the end a line is fitted through the late calls of all probes near the
// objective, and Rate is where the line meets it: for an M/M/1 queue served
// at μ, P(response > x) = exp(−(μ−λ)x), whose logarithm is a straight line over
// the rate λ. Rate stays within 2 % of the last probes of the bisection.
// The line is fitted to the numbers of late calls, so that a probe which ended early
// because it was low by chance does not make Rate too high.
//
// Where pauses of the callee or of the machine make the late calls, their share
// grows slowly with the rate and changes from probe to probe, and bisection ends
// at a rate that is chance. The fit shows that: probes then go on near the line's
// crossing until it is known to within 5 %, or until MaxProbes, and Rate is the
// line's. Where the
// late calls do not become more with the rate at all, no rate is the answer: the
// warning ErrNotTheRate says so and names an objective that would tell more.
//
// The error is about a bad Search, an objective that a single caller does not see met,
// calls that all fail or do not return, no rate that meets the objective, or the
// error of a Run. The Capacity beside it holds what was found until then; it is
// nil if there was no probe to be made.
func FindCapacity(ctx context.Context, s Search, call Call) (*Capacity, error) {
	return s.Find(ctx, call.Runner())
}

// Find is [FindCapacity] for calls that are made by any Runner, such as those of a Mix.
func (s Search) Find(ctx context.Context, run Runner) (*Capacity, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	if run == nil {
		return nil, errors.New("loadgen: the Runner is nil")
	}
	f := &finder{Search: s.withDefaults(), ctx: ctx, run: run, fails: math.Inf(1)}
	f.Warnings.add(f.MaxProbes > 1 && f.batches() < decisiveBatches, ErrFewBatches, "a probe of %v has %d of %v, and no outcome is certain before %d", f.ProbeTime, f.batches(), f.Batch, decisiveBatches)
	if err := f.idle(); err != nil {
		return nil, err
	}
	err := f.search()
	f.conclude()
	return &f.Capacity, err
}

// validate says in one sentence what is wrong with s.
func (s Search) validate() error {
	switch {
	case s.Quantile == 0 && s.Latency == 0:
		return errors.New("loadgen: the Search has no objective: set Quantile and Latency, as .99 and 5 ms for p99 ≤ 5 ms")
	case !(s.Quantile > 0 && s.Quantile < 1):
		return fmt.Errorf("loadgen: Search.Quantile is %v: it must be more than 0 and less than 1, as .99 is for p99", s.Quantile)
	case s.Latency <= 0:
		return fmt.Errorf("loadgen: Search.Latency is %v: it must be more than 0", s.Latency)
	case !(s.ErrorRate >= 0 && s.ErrorRate < 1):
		return fmt.Errorf("loadgen: Search.ErrorRate is %v: it must be from 0 to less than 1", s.ErrorRate)
	case s.MaxProbes < 0:
		return fmt.Errorf("loadgen: Search.MaxProbes is %d: it must not be negative", s.MaxProbes)
	}
	return s.validateRuns()
}

func (s Search) validateRuns() error {
	switch {
	case s.Workers <= 0:
		return fmt.Errorf("loadgen: Search.Workers is %d: it must be more than 0", s.Workers)
	case s.Timeout < 0:
		return fmt.Errorf("loadgen: Search.Timeout is %v: it must not be negative", s.Timeout)
	case s.Wait < WaitAwake || s.Wait > WaitSleep:
		return fmt.Errorf("loadgen: Search.Wait is %v: choose WaitAwake, WaitQuiet or WaitSleep", s.Wait)
	case s.ProbeTime < 0:
		return fmt.Errorf("loadgen: Search.ProbeTime is %v: it must not be negative", s.ProbeTime)
	case s.Warmup < 0:
		return fmt.Errorf("loadgen: Search.Warmup is %v: it must not be negative", s.Warmup)
	case s.Batch != 0 && (s.Batch < minBatch || s.Batch > maxInterval):
		return fmt.Errorf("loadgen: Search.Batch is %v: it must be from %v to %v", s.Batch, minBatch, maxInterval)
	}
	if d := s.withDefaults(); d.batches() < 2 {
		return fmt.Errorf("loadgen: Search.ProbeTime is %v: it must be two batches at least, of %v each", d.ProbeTime, d.Batch)
	}
	return nil
}

func (s Search) withDefaults() Search {
	s.MaxProbes = cmp.Or(s.MaxProbes, defaultProbes)
	s.ProbeTime = cmp.Or(s.ProbeTime, defaultProbe)
	s.Batch = cmp.Or(s.Batch, max(min(defaultBatch, s.ProbeTime/decisiveBatches), minBatch))
	s.Warmup = cmp.Or(s.Warmup, warmBatches*s.Batch)
	return s
}

// batches is how many a probe has at most.
func (s Search) batches() int { return int(s.ProbeTime / s.Batch) }

// config is what all runs of the search have in common.
func (s Search) config() Config {
	return Config{
		Workers: s.Workers, Timeout: s.Timeout, Drain: s.Drain, Wait: s.Wait, Check: s.Check,
		Warmup: s.Warmup, Interval: s.Batch, OnProgress: s.OnProgress,
	}
}

// objective is the objective in words.
func (s Search) objective() string {
	return fmt.Sprintf("%s ≤ %v", percentile(s.Quantile), s.Latency)
}
