package capacity

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
)

// Config describes a search for the highest rate that meets an objective. The
// zero value of every field but Quantile, Latency and Workers is a good choice.
type Config struct {
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
	// These are as in loadgen.Config.
	Timeout       time.Duration
	Drain         time.Duration
	Slack         time.Duration
	RuntimeTimers bool
	Check         func(worker int) error

	// Schedule makes the arrivals of a rate in calls per second; nil is Poisson,
	// with other arrivals for each probe.
	Schedule func(rate float64) loadgen.Schedule
	// ProbeTime is the most time that a probe takes, without its Warmup. 0 stands
	// for 15 s. A probe whose outcome is certain ends earlier, but not before it
	// has 24 batches; a search with fewer in ProbeTime, such as 230 ms, is refused. A
	// probe that holds is certain only with 12 calls beyond Quantile, such as 12,000 for
	// p99.9; with fewer at the rate that is found, the warning ErrShort says how long
	// ProbeTime must be.
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
	// OnProgress is called after each batch of every run, as loadgen.Config.OnProgress is.
	// An error that it returns ends the search, which returns it; loadgen.ErrEnough ends
	// only the run under way.
	OnProgress func(loadgen.Progress) error
}

const (
	defaultProbe  = 15 * time.Second
	defaultBatch  = 250 * time.Millisecond
	minBatch      = 10 * time.Millisecond // the shortest and the longest Interval of a run
	maxBatch      = time.Minute
	defaultProbes = 20
	warmBatches   = 2 // per probe

	decisiveBatches = 24 // before a verdict can be certain, see judge
)

// validate says in one sentence what is wrong with c.
func (c Config) validate() error {
	switch {
	case c.Quantile == 0 && c.Latency == 0:
		return errors.New("capacity: no objective: set Quantile and Latency, as .99 and 5 ms for p99 ≤ 5 ms")
	case !(c.Quantile > 0 && c.Quantile < 1):
		return fmt.Errorf("capacity: Quantile is %v: it must be more than 0 and less than 1, as .99 is for p99", c.Quantile)
	case c.Latency <= 0:
		return fmt.Errorf("capacity: Latency is %v: it must be more than 0", c.Latency)
	case !(c.ErrorRate >= 0 && c.ErrorRate < 1):
		return fmt.Errorf("capacity: ErrorRate is %v: it must be from 0 to less than 1", c.ErrorRate)
	case c.MaxProbes < 0:
		return fmt.Errorf("capacity: MaxProbes is %d: it must not be negative", c.MaxProbes)
	}
	return c.validateRuns()
}

func (c Config) validateRuns() error {
	switch {
	case c.Workers <= 0:
		return fmt.Errorf("capacity: Workers is %d: it must be more than 0", c.Workers)
	case c.Timeout < 0:
		return fmt.Errorf("capacity: Timeout is %v: it must not be negative", c.Timeout)
	case c.Slack < 0:
		return fmt.Errorf("capacity: Slack is %v: it must not be negative", c.Slack)
	case c.ProbeTime < 0:
		return fmt.Errorf("capacity: ProbeTime is %v: it must not be negative", c.ProbeTime)
	case c.Warmup < 0:
		return fmt.Errorf("capacity: Warmup is %v: it must not be negative", c.Warmup)
	case c.Batch != 0 && (c.Batch < minBatch || c.Batch > maxBatch):
		return fmt.Errorf("capacity: Batch is %v: it must be from %v to %v", c.Batch, minBatch, maxBatch)
	}
	return c.withDefaults().validateBatches()
}

// validateBatches refuses a search of which no probe can be certain, before it takes minutes.
// A single probe is no search, which chance could lead astray.
func (c Config) validateBatches() error {
	switch n := c.batches(); {
	case n < 2:
		return fmt.Errorf("capacity: ProbeTime is %v: it must be two batches at least, of %v each", c.ProbeTime, c.Batch)
	case n < decisiveBatches && c.MaxProbes > 1:
		return fmt.Errorf("capacity: ProbeTime is %v, which has %d batches of %v, and no outcome is certain before %d: set it to %v or more, or leave Batch 0 and set it to %v or more",
			c.ProbeTime, n, c.Batch, decisiveBatches, decisiveBatches*c.Batch, decisiveBatches*minBatch)
	}
	return nil
}

func (c Config) withDefaults() Config {
	c.MaxProbes = cmp.Or(c.MaxProbes, defaultProbes)
	c.ProbeTime = cmp.Or(c.ProbeTime, defaultProbe)
	c.Batch = cmp.Or(c.Batch, max(min(defaultBatch, c.ProbeTime/decisiveBatches), minBatch))
	c.Warmup = cmp.Or(c.Warmup, warmBatches*c.Batch)
	return c
}

// batches is how many a probe has at most.
func (c Config) batches() int { return int(c.ProbeTime / c.Batch) }

// runConfig is what all runs of the search have in common.
func (c Config) runConfig() loadgen.Config {
	return loadgen.Config{
		Workers: c.Workers, Timeout: c.Timeout, Drain: c.Drain, Check: c.Check,
		Slack: c.Slack, RuntimeTimers: c.RuntimeTimers,
		Warmup: c.Warmup, Interval: c.Batch, OnProgress: c.OnProgress,
	}
}

// objective is the objective in words.
func (c Config) objective() string {
	return fmt.Sprintf("%s ≤ %v", figure.Percentile(c.Quantile), c.Latency)
}
