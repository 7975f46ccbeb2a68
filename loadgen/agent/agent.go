// Package agent makes a process one of many that load a server together, on
// one machine or on many. It is for those whose server takes more load than one machine
// makes. An agent learns its rank from flags, or without them from the
// engine that started it; with -ranks=1 it is alone whatever the engine says. It makes
// its share of the calls, begins when the others do, and writes what it measured into a
// file. Agents do not talk to each other; the command loadmerge merges their files
// without loss.
//
//	var a agent.Agent
//	a.Register(flag.CommandLine)
//	flag.Parse()
//	result, err := a.Run(ctx, "BenchmarkHello/rate=1000", config, loadgen.Call(hello).Run)
package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/bounds"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// Agent is one process of a run. An agent that is alone needs only Ranks, which is
// then 1.
type Agent struct {
	// Rank, from 0 to Ranks-1, is the number of this agent, and Ranks, at least
	// 1, is how many there are.
	Rank, Ranks int
	// RunName is the name of the run, which no other run has: only records of
	// the same name may be merged. An agent that is alone may leave it empty.
	RunName string
	// Start is when the calls begin, those of the warm-up included. An engine
	// starts its agents milliseconds or minutes apart, so all are given one time
	// at which they begin. It may be at most 24 hours ahead. The zero time, for an
	// agent that is alone, means at once.
	//
	// If the machines' clocks differ, the arrivals of the agents are moved
	// against each other by the difference. Measured times are not affected, since
	// each is measured with one clock.
	Start time.Time
	// Results is the directory for the record of what was measured; it is made
	// if it does not exist. Only an agent that is alone may leave it empty; no
	// record is written then.
	Results string
}

// maxWait is how far ahead a start may be. A later one is taken for a mistake,
// such as milliseconds where seconds are meant.
const maxWait = 24 * time.Hour

// Run makes this agent's share of the calls of whole, see Share, from Start on,
// and writes what it measured into Results. The calls are made by run, such as the Run of a
// loadgen.Call or of a loadgen.Mix. benchmark is the name of a benchmark
// line, as in "BenchmarkHello/rate=1000". A run that ended early is not written, so
// that it cannot be taken for a whole one; the error says why the run ended.
func (a *Agent) Run(ctx context.Context, benchmark string, whole loadgen.Config, run loadgen.Runner) (*loadgen.Result, error) {
	cfg, err := a.Share(whole)
	if err != nil {
		return nil, err
	}
	if err := bounds.Benchmark(benchmark); err != nil && a.Results != "" {
		return nil, fmt.Errorf("agent: %w", err)
	}
	if err := a.Wait(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	res, err := run(ctx, cfg)
	if err != nil {
		return res, err
	}
	return res, a.write(benchmark, began.Add(cfg.Warmup), res)
}

// Share returns this agent's part of what all agents do together: the arrivals that
// loadgen.Share gives its rank, and a part of Workers, Calls and MaxBacklog, each of
// which must be 0 or at least Ranks. Its calls have the numbers that one process would
// give them, so all agents draw the same Mix and use each entry of a Trace once. Calls
// cannot be divided if there is a Warmup in an open loop.
func (a *Agent) Share(whole loadgen.Config) (share loadgen.Config, err error) {
	if err := a.check(); err != nil {
		return share, err
	}
	if a.Ranks > 1 && whole.Calls > 0 && whole.Warmup > 0 && whole.Schedule != loadgen.ClosedLoop {
		return share, errors.New("agent: Calls with a Warmup: agents cannot tell which calls of a schedule are the first after it, so bound them by Duration")
	}
	share = whole
	share.Schedule = loadgen.Share(whole.Schedule, a.Rank, a.Ranks)
	if whole.Schedule == loadgen.ClosedLoop || whole.Ranks > 0 { // else the schedule says it
		parts := max(whole.Ranks, 1)
		share.Rank, share.Ranks = whole.Rank+parts*a.Rank, parts*a.Ranks
	}
	workers := int64(whole.Workers)
	err = errors.Join(a.divide("Workers", &workers), a.divide("Calls", &share.Calls), a.divide("MaxBacklog", &share.MaxBacklog))
	share.Workers = int(workers)
	return share, err
}

// divide makes n this agent's part of it.
func (a *Agent) divide(name string, n *int64) error {
	ranks := int64(a.Ranks)
	if *n > 0 && *n < ranks {
		return fmt.Errorf("agent: %s is %d: it cannot be divided among %d agents", name, *n, ranks)
	}
	part := *n / ranks
	if int64(a.Rank) < *n%ranks {
		part++
	}
	*n = part
	return nil
}

// CheckRank says in one sentence what is wrong with Rank, Ranks and RunName, or with the
// variables of the engine that they come from.
func (a *Agent) CheckRank() error {
	if err := a.checkEngine(); err != nil {
		return err
	}
	switch {
	case a.Ranks == 0:
		return fmt.Errorf("agent: rank %d of how many? Set -ranks: neither Kubernetes nor Nomad says", a.Rank)
	case a.Rank < 0 || a.Rank >= a.Ranks:
		return fmt.Errorf("agent: -rank=%d -ranks=%d: the rank must be from 0 to one less than the ranks", a.Rank, a.Ranks)
	case a.Ranks > bounds.Ranks:
		return fmt.Errorf("agent: -ranks=%d: at most %d can be merged", a.Ranks, bounds.Ranks)
	case a.Ranks > 1 && a.RunName == "":
		return errors.New("agent: no -run-name: give all agents of a run one name, that no other run has")
	}
	if err := bounds.RunName(a.RunName); err != nil {
		return fmt.Errorf("agent: -run-name: %w", err)
	}
	return nil
}

// check says in one sentence what is wrong with a, apart from its time.
func (a *Agent) check() error {
	if err := a.CheckRank(); err != nil {
		return err
	}
	switch {
	case a.Ranks > 1 && a.Start.IsZero():
		return errors.New("agent: no -at: give all agents one time to start, as in -at=$(date -d '10 seconds' +%s), worked out once for all of them")
	case a.Ranks > 1 && a.Results == "":
		return errors.New("agent: no -results: give the directory for what is measured")
	}
	return nil
}

// Wait returns at Start. It returns an error if Start has passed, since the other
// agents have begun without this one, or is more than 24 hours ahead, which is taken for a
// mistake.
func (a *Agent) Wait(ctx context.Context) error {
	if a.Start.IsZero() {
		return nil
	}
	ahead := time.Until(a.Start)
	switch at := a.Start.Format(time.RFC3339); {
	case ahead < 0:
		return fmt.Errorf("agent: -at=%s was %v ago: agents start together or not at all, so choose a time when all of them are there", at, -ahead.Round(time.Millisecond))
	case ahead > maxWait:
		return fmt.Errorf("agent: -at=%s is more than %v ahead: it must be in seconds since 1970, or as in 2006-01-02T15:04:05Z", at, maxWait)
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

// Record returns the record of what was measured, to which Config and Metrics can be added.
// start is when the warm-up was over, and benchmark is the name of a benchmark line.
func (a *Agent) Record(benchmark string, start time.Time, res *loadgen.Result) *record.Record {
	r := &record.Record{
		RunName: a.RunName, Benchmark: benchmark, Rank: a.Rank, Ranks: a.Ranks, Start: start, Result: res,
		Config: map[string]string{"go": runtime.Version(), "agents": strconv.Itoa(a.Ranks)},
	}
	if r.RunName == "" {
		r.RunName = start.UTC().Format(time.RFC3339Nano)
	}
	return r
}

// write writes what Record returns into Results. Without Results it does nothing.
func (a *Agent) write(benchmark string, start time.Time, res *loadgen.Result) error {
	if a.Results == "" {
		return nil
	}
	_, err := a.Record(benchmark, start, res).Write(a.Results)
	return err
}
