// Package agent makes a process one of many that load a server together, on
// one machine or on many. An agent learns from flags, or from the engine that
// started it, which of them it is; it takes its share of the calls, begins when
// the others do, and writes what it measured into a file. Agents say nothing to
// each other: the command loadmerge puts their files together, without loss.
//
//	var a agent.Agent
//	err := a.Register(flag.CommandLine)
//	flag.Parse()
//	...
//	result, err := a.Run(ctx, "BenchmarkHello/rate=1000", config, call)
package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Agent is one process of a run. One that is alone needs only Ranks.
type Agent struct {
	// Rank, from 0, is the agent's among Ranks of them, which is more than 0.
	Rank, Ranks int
	// Name is that of the run, and no other run's: what is measured under
	// another is never merged with this. An agent that is alone may leave it
	// empty.
	Name string
	// Start is when the calls begin, with those of the warm-up. Agents of an
	// engine are some milliseconds apart, or minutes, so they are all given one
	// time. It may be at most MaxWait ahead. Zero, for an agent that is alone,
	// is at once.
	//
	// Where the machines' clocks differ, so do the starts, and the arrivals of
	// the agents are moved against each other. No time that is measured rests
	// on two clocks.
	Start time.Time
	// Results is the directory for the record of what was measured; it is made
	// if need be. Empty, for an agent that is alone, is none.
	Results string
}

// MaxWait is how far ahead a start may be: what is further is a mistake, as
// milliseconds where seconds are meant.
const MaxWait = 24 * time.Hour

// Run makes this agent's share of the calls of whole, see Share, from Start on,
// and writes what it measured into Results under the name of a benchmark line,
// as in "BenchmarkHello/rate=1000". A run that ended early is not written, so
// that it cannot be taken for a whole one; the error says why it ended.
func (a *Agent) Run(ctx context.Context, name string, whole loadgen.Config, call loadgen.Call) (*loadgen.Result, error) {
	cfg, err := a.Share(whole)
	if err != nil {
		return nil, err
	}
	if err := a.Wait(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	res, err := loadgen.Run(ctx, cfg, call)
	if err != nil {
		return res, err
	}
	return res, a.Write(name, began.Add(cfg.Warmup), res)
}

// Share is this agent's part of what all of them do. Of the schedule it has
// every arrival whose number is its rank, modulo Ranks. Workers, Calls and
// MaxBacklog are divided, so that each of them is 0 or at least Ranks.
func (a *Agent) Share(whole loadgen.Config) (share loadgen.Config, err error) {
	if err := a.check(); err != nil {
		return share, err
	}
	if a.Ranks > 1 && whole.Calls > 0 && whole.Warmup > 0 && whole.Schedule != loadgen.ClosedLoop {
		return share, errors.New("agent: Calls with a Warmup: agents cannot tell which calls of a schedule are the first after it, so bound them by Duration")
	}
	share = whole
	share.Schedule = loadgen.Share(whole.Schedule, a.Rank, a.Ranks)
	workers := int64(whole.Workers)
	err = errors.Join(a.divide("Workers", &workers), a.divide("Calls", &share.Calls), a.divide("MaxBacklog", &share.MaxBacklog))
	share.Workers = int(workers)
	return share, err
}

// divide makes n this agent's part of it.
func (a *Agent) divide(name string, n *int64) error {
	size := int64(a.Ranks)
	if *n > 0 && *n < size {
		return fmt.Errorf("agent: %s is %d: it cannot be divided among %d agents", name, *n, size)
	}
	part := *n / size
	if int64(a.Rank) < *n%size {
		part++
	}
	*n = part
	return nil
}

// check says in one sentence what is wrong with a, the time left out.
func (a *Agent) check() error {
	switch {
	case a.Ranks == 0:
		return fmt.Errorf("agent: rank %d of how many? Set -ranks: neither Kubernetes nor Nomad says", a.Rank)
	case a.Rank < 0 || a.Rank >= a.Ranks:
		return fmt.Errorf("agent: -rank=%d -ranks=%d: the rank must be from 0 to one less than the ranks", a.Rank, a.Ranks)
	case a.Ranks > 1 && a.Name == "":
		return errors.New("agent: no -run-name: give all agents of a run one name, that no other run has")
	case a.Ranks > 1 && a.Start.IsZero():
		return errors.New("agent: no -at: give all agents one time to start, as in -at=$(date -d '10 seconds' +%s), worked out once for all of them")
	case a.Ranks > 1 && a.Results == "":
		return errors.New("agent: no -results: give the directory for what is measured")
	}
	return nil
}

// Wait returns at Start. It is an error when that has passed already: the
// others have begun.
func (a *Agent) Wait(ctx context.Context) error {
	if a.Start.IsZero() {
		return nil
	}
	ahead := time.Until(a.Start)
	switch at := a.Start.Format(time.RFC3339); {
	case ahead < 0:
		return fmt.Errorf("agent: -at=%s was %v ago: agents start together or not at all, so choose a time when all of them are there", at, -ahead.Round(time.Millisecond))
	case ahead > MaxWait:
		return fmt.Errorf("agent: -at=%s is more than %v ahead: it must be in seconds since 1970, or as in 2006-01-02T15:04:05Z", at, MaxWait)
	}
	start := time.NewTimer(ahead)
	defer start.Stop()
	select {
	case <-start.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Write writes the record of what was measured from the start given on, which
// is after the warm-up, under the name of a benchmark line. Without Results it
// does nothing.
func (a *Agent) Write(name string, start time.Time, res *loadgen.Result) error {
	if a.Results == "" {
		return nil
	}
	record := loadgen.Record{
		Run: a.Name, Name: name, Rank: a.Rank, Size: a.Ranks, Start: start, Result: res,
		Config: map[string]string{"go": runtime.Version(), "agents": strconv.Itoa(a.Ranks)},
	}
	if record.Run == "" {
		record.Run = start.UTC().Format(time.RFC3339Nano)
	}
	_, err := record.WriteFile(a.Results)
	return err
}
