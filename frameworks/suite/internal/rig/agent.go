package rig

import (
	"fmt"
	"net/http"
	"regexp"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/files"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/resident"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/crowd"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// agent makes a share of the calls.
type agent struct {
	orders
	table Table
	flags *Flags
	order prepareRequest
	c     plan.Case
	load  *local
	crowd *crowd.Crowd
}

func newAgent(table Table) (*agent, error) {
	a := &agent{table: table}
	return a, a.take(map[string]http.Handler{"/prepare": answer(a.prepare), "/run": answer(a.run), "/conns": answer(a.conns), "/open": answer(a.open)})
}

// prepare opens the client for this agent's share of the calls, ready to run.
func (a *agent) prepare(o prepareRequest) (_ struct{}, err error) {
	if a.c, err = a.find(o); err != nil {
		return struct{}{}, err
	}
	a.order, a.flags.Settings.rank = o, o.Rank
	a.load, err = newLocal(&a.flags.Settings, a.c, o.Addrs, shareOf(a.c.Workers, o.Rank, o.Size), max(a.c.Conns/o.Size, 1))
	return struct{}{}, err
}

// find makes the same plan as the parent, from the same flags, and returns the case
// of that name.
func (a *agent) find(o prepareRequest) (c plan.Case, err error) {
	a.flags = NewFlags(a.table)
	if err := a.flags.set(o.Flags); err != nil {
		return c, err
	}
	a.flags.Settings.certs = o.Certs
	if err := a.flags.Check(); err != nil {
		return c, err
	}
	a.flags.Options.Pattern = regexp.QuoteMeta(o.Case) // which names the keys of what is called
	p, err := a.flags.Plan()
	if err != nil {
		return c, err
	}
	return p.Case(o.Case)
}

// watch returns the watchdog of a run. It closes the client, which ends its calls.
func (a *agent) watch() func(loadgen.Progress) error {
	stuck := watchdog(a.load.patience)
	return func(p loadgen.Progress) error {
		err := stuck(p)
		if err != nil {
			closeSoon(a.load)
		}
		return err
	}
}

// run makes this agent's calls.
func (a *agent) run(s runRequest) (runReply, error) {
	if a.load == nil {
		return runReply{}, errUnprepared
	}
	var reply runReply
	cfg := a.config(s, &reply.Dues)
	before := host.OwnFigures()
	time.Sleep(time.Until(s.At))
	reply.Began = time.Now()
	result, err := a.load.loads(cfg)
	if result == nil {
		return runReply{}, err
	}
	reply.Result, reply.Used = result, host.OwnFigures().Since(before)
	if err != nil {
		reply.Error = err.Error()
	}
	return reply, nil
}

// config configures this agent's share of a run.
func (a *agent) config(s runRequest, d *dues) loadgen.Config {
	mine := loadgen.Share(leafOf(a.c).schedule, a.order.Rank, a.order.Size)
	return loadgen.Config{
		Workers:  shareOf(a.c.Workers, a.order.Rank, a.order.Size),
		Schedule: noted(mine, s.Duration, d),
		Rank:     a.order.Rank, Ranks: a.order.Size,
		Wait:  a.flags.Options.Wait(),
		Calls: s.Calls, Duration: s.Duration,
		Timeout: a.c.Timeout, OnProgress: a.watch(),
		Drain: afterWatchdog(a.load.patience),
	}
}

// conns counts the connections of this process to the servers.
func (a *agent) conns(struct{}) (int, error) {
	if a.load == nil {
		return 0, errUnprepared
	}
	return a.load.conns()
}

// open opens idle connections, which end with this process.
func (a *agent) open(o openRequest) (openReply, error) {
	c, err := a.find(o.prepareRequest)
	if err != nil {
		return openReply{}, err
	}
	breed()
	cfg := crowd.Config{
		Variant: c.Variant, Addrs: o.Addrs, Conns: o.Conns, Size: c.Size, Patience: a.flags.Settings.watchdog,
		Files: files.Open, Room: enoughMemory,
	}
	if o.Server != 0 {
		cfg.Hold = func() (func() error, error) { return process.Hold(o.Server) }
	}
	a.crowd = crowd.Open(cfg)
	reply := openReply{Asked: a.crowd.Asked, Took: a.crowd.Took}
	if a.crowd.Short != nil {
		reply.Short = a.crowd.Short.Error()
	}
	return reply, nil
}

// breed starts goroutines, and ends them. The runtime keeps the record of a goroutine for
// good, so those of the first calls would count as memory of connections.
func breed() {
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
