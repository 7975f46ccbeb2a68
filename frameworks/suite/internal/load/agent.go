package load

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/files"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/resident"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/idle"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// agent makes a share of the calls.
type agent struct {
	Orders
	find    func(PrepareRequest) (Found, error)
	order   PrepareRequest
	found   Found
	load    *Local
	batches *batches // of the run that was started last
	idle    *idle.Connections
}

// Found is the case that an agent was told, and what it needs of the flags that came with it.
type Found struct {
	plan.Case
	Load     Settings
	Slack    time.Duration                       // of the load generator
	Schedule func(rate float64) loadgen.Schedule // of an open loop
	FakeTime bool                                // that of testing/synctest
}

// NewAgent returns an agent that finds its case by find.
func NewAgent(find func(PrepareRequest) (Found, error)) (*agent, error) {
	a := &agent{find: find}
	return a, a.Take(map[string]http.Handler{"/prepare": Answer(a.prepare), "/run": Answer(a.run), "/start": Answer(a.start), "/step": Answer(a.step), "/conns": Answer(a.conns), "/open": Answer(a.open)})
}

// prepare opens the client for this agent's share of the calls, ready to run.
func (a *agent) prepare(o PrepareRequest) (_ struct{}, err error) {
	if a.found, err = a.find(o); err != nil {
		return struct{}{}, err
	}
	a.order = o
	c := a.found.Case
	a.found.Load.Rank, a.found.Load.Ranks = o.Rank, o.Size
	a.load, err = NewLocal(&a.found.Load, c, o.Addrs, shareOf(c.Workers, o.Rank, o.Size), max(c.Conns/o.Size, 1))
	return struct{}{}, err
}

// watch returns the watchdog of a run. It closes the client, which ends its calls.
func (a *agent) watch() func(loadgen.Progress) error {
	stuck := Watchdog(a.load.Patience)
	return func(p loadgen.Progress) error {
		err := stuck(p)
		if err != nil {
			CloseSoon(a.load)
		}
		return err
	}
}

// run makes this agent's calls.
func (a *agent) run(s RunRequest) (RunReply, error) {
	if a.load == nil {
		return RunReply{}, errUnprepared
	}
	return a.runs(context.Background(), s, nil)
}

// runs is run until ctx ends. Its batches go to b, if that is not nil.
func (a *agent) runs(ctx context.Context, s RunRequest, b *batches) (RunReply, error) {
	var reply RunReply
	cfg := a.config(s, &reply.Dues, b)
	before := host.OwnFigures()
	time.Sleep(time.Until(s.At))
	reply.Began = time.Now()
	var repeats call.Repeats
	result, err := a.load.loads(ctx, cfg, &repeats)
	if result == nil {
		return RunReply{}, err
	}
	if a.load.Retry.On() {
		n := repeats.Sum()
		reply.Repeated = &n
	}
	reply.Result, reply.Used, reply.Taken = result, host.OwnFigures().Since(before), a.load.Sizes.Taken()
	if err != nil {
		reply.Error = err.Error()
	}
	return reply, nil
}

// config configures this agent's share of a run. Its batches go to b, if that is not nil.
func (a *agent) config(s RunRequest, d *dues, b *batches) loadgen.Config {
	own, whole := a.wanted(s)
	mine, progress := loadgen.Share(whole, a.order.Rank, own.Agents), a.watch()
	if b != nil {
		mine, progress = b.ending(mine), b.taking(progress)
	}
	end := s.Duration
	if end > 0 {
		end += own.Warmup
	}
	return loadgen.Config{
		Workers:  shareOf(own.Workers, a.order.Rank, own.Agents),
		Schedule: noted(mine, end, d),
		Rank:     a.order.Rank, Ranks: own.Agents,
		Slack: a.found.Slack, RuntimeTimers: a.found.FakeTime,
		Calls: s.Calls, Duration: s.Duration, Interval: own.Interval, Warmup: own.Warmup,
		Timeout: own.Timeout, MaxLag: own.MaxLag, OnProgress: progress,
		Drain: DrainAfter(a.load.Patience),
	}
}

// wanted is what all agents do in a run, as the request says or else the case.
func (a *agent) wanted(s RunRequest) (own Own, whole loadgen.Schedule) {
	switch {
	case s.Own == nil:
		return Own{Agents: a.order.Size, Workers: a.found.Workers, Timeout: a.found.Timeout}, call.LeafOf(a.found.Case).Schedule
	case s.Own.Rate > 0:
		return *s.Own, a.found.Schedule(s.Own.Rate)
	}
	return *s.Own, loadgen.ClosedLoop
}

// conns counts the connections of this process to the servers.
func (a *agent) conns(struct{}) (int, error) {
	if a.load == nil {
		return 0, errUnprepared
	}
	return a.load.Conns()
}

// open opens idle connections, which end with this process.
func (a *agent) open(o OpenRequest) (OpenReply, error) {
	c, err := a.find(o.PrepareRequest)
	if err != nil {
		return OpenReply{}, err
	}
	preallocateGoroutines()
	cfg := idle.Config{
		Variant: c.Variant, Addrs: o.Addrs, Conns: o.Conns, Size: c.Size, Patience: c.Load.Watchdog,
		Files: files.Open, Room: enoughMemory,
	}
	if o.Server != 0 {
		cfg.Hold = func() (func() error, error) { return process.Hold(o.Server) }
	}
	a.idle = idle.Open(cfg)
	reply := OpenReply{Asked: a.idle.Asked, Took: a.idle.Took}
	if a.idle.Short != nil {
		reply.Short = a.idle.Short.Error()
	}
	return reply, nil
}

// preallocateGoroutines starts goroutines, and ends them. The runtime keeps the record of a goroutine for
// good, so those of the first calls would count as memory of connections.
func preallocateGoroutines() {
	const most = 1000
	end := make(chan struct{})
	for range most {
		go func() { <-end }()
	}
	close(end)
}

// The machine keeps a twentieth of its memory, since it has other things to do.
const keptMemory = 20

// enoughMemory returns an error if so little memory is left that no more connections should
// be opened.
func enoughMemory() error {
	total, available := resident.Machine()
	if available < total/keptMemory {
		return fmt.Errorf("%d MiB of memory are left", available>>20)
	}
	return nil
}
