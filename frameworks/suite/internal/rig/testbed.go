package rig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Testbed holds the servers and the load of one variant. They outlive a round,
// because package testing calls a case's function again for every b.N. Both start
// when a case first needs them, because a partial -bench match visits many variants
// and measures few. Both are closed before those of the next variant start, so that
// memory is measured of one variant alone.
type Testbed struct {
	Rig      *Rig
	target   plan.Target
	id       string // of target
	network  plan.Network
	work     string    // the servers' workload
	slow     plan.Slow // of them
	cores    plan.Cores
	Running  []*server.Server
	between  between  // the load and the servers
	Dialed   []string // the addresses that the load connects to
	Load     load.Load
	loadFor  string                        // the case's Rest
	made     int64                         // calls of a round that ended early
	measured map[string][]loadbench.Metric // of the cases that are measured once, by name
	Counted  map[string]probe.Counts       // what calls cost besides time, by what is called
	streams  probe.PerStream               // of the load; empty if it has none
}

// Testbed returns a new Testbed, which the caller closes.
func (r *Rig) Testbed() *Testbed { return &Testbed{Rig: r} }

// NewTestbed returns the testbed of a case whose servers and load are there already.
func NewTestbed(r *Rig, c plan.Case, servers []*server.Server, l load.Load) *Testbed {
	return &Testbed{Rig: r, id: c.ID(), work: c.Workload, slow: c.Slow, cores: c.Cores, Running: servers, Load: l, loadFor: c.Rest}
}

// Close stops the servers and the load.
func (t *Testbed) Close() {
	t.CloseLoad()
	for _, s := range t.Running {
		s.Stop()
	}
	t.Running, t.Counted = nil, nil
}

// prepare makes the servers and the load that a case needs. It calls before when the
// servers run and the load is still to be made.
func (t *Testbed) prepare(ctx context.Context, c plan.Case, before func()) error {
	if err := t.start(ctx, c); err != nil {
		return err
	}
	if t.Load != nil && t.loadFor == c.Rest {
		return nil
	}
	t.CloseLoad()
	t.loadFor = c.Rest
	before()
	return t.open(ctx, c)
}

// start starts the servers of a case, unless they run.
func (t *Testbed) start(ctx context.Context, c plan.Case) error {
	if id := c.ID(); t.id != id || t.network != c.Network {
		t.Close()
		t.id, t.target, t.network = id, c.Target, c.Network
	}
	if t.dead() != nil || len(t.Running) > c.Servers || t.work != c.Workload || t.slow != c.Slow || t.cores != c.Cores {
		t.Close()
	}
	for len(t.Running) < c.Servers {
		t.CloseLoad()
		s, err := t.Rig.startAt(ctx, c, len(t.Running)+1)
		if err != nil {
			return err
		}
		t.work, t.slow, t.cores = c.Workload, c.Slow, c.Cores
		t.Running = append(t.Running, s)
	}
	return nil
}

// open makes the load of a case, and what stands between it and the servers.
func (t *Testbed) open(ctx context.Context, c plan.Case) (err error) {
	if t.Dialed, err = t.between.open(t.Rig, c, t.Running); err != nil {
		return err
	}
	open := func() (err error) {
		t.Load, err = t.newLoad(ctx, c)
		return err
	}
	if t.streams = (probe.PerStream{}); c.Streams == 0 || t.Rig.Agents.Clients > 1 {
		return open()
	}
	t.streams, err = probe.Opening(ctx, t.Running[0], c.Streams, open)
	return err
}

// newLoad makes the load of a case. With an error the returned load is nil, not an
// interface that holds a nil pointer.
func (t *Testbed) newLoad(ctx context.Context, c plan.Case) (load.Load, error) {
	s := t.Rig.Settings
	if _, apart := c.Leaf.(calledApart); apart || s.Agents.Clients > 1 {
		return orNil(load.StartClients(ctx, &s.Agents, c, t.Dialed))
	}
	return orNil(load.NewLocal(&s.Load, c, t.Dialed, c.Workers, c.Conns))
}

// calledApart is a leaf whose calls are made in another process even if that is the only
// one.
type calledApart interface{ CalledApart() }

func orNil[L load.Load](l L, err error) (load.Load, error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}

// CloseLoad ends the load, and the proxies between it and the servers.
func (t *Testbed) CloseLoad() {
	if t.Load != nil {
		if err := t.Load.Close(); err != nil {
			t.Rig.Ledger.Lose(fmt.Errorf("client of %s: %w", t.id, err))
		}
	}
	t.between.close()
	t.Load, t.loadFor = nil, ""
}

// death returns an error with the last output of a server that has died. It waits a
// moment, because calls fail before the end of the process is known.
func (t *Testbed) death() error {
	if len(t.Running) == 1 {
		var ended <-chan struct{}
		if l := t.Running[0].Life; l != nil {
			ended = l.Done()
		}
		select {
		case <-ended:
		case <-time.After(100 * time.Millisecond):
		}
	}
	return t.dead()
}

// dead is death without the wait, or the end of the line to the servers.
func (t *Testbed) dead() error {
	if err := t.lineErr(); err != nil {
		return err
	}
	for _, s := range t.Running {
		if err := s.Err(); err != nil {
			return err
		}
	}
	for _, p := range t.between.proxies {
		if err := p.Err(); err != nil {
			return err
		}
	}
	return nil
}

// lineErr says that the line to the servers carries no more; nil if it does.
func (t *Testbed) lineErr() error { return t.Rig.Networks.Links[t.network.Name].Err() }

// GiveUp closes servers and load, so that the next case starts with new ones. It
// returns the reason: the server's death, if there was one, before errors that
// follow from it.
func (t *Testbed) GiveUp(err error) error {
	if !errors.Is(err, load.ErrStuck) { // a stuck server was killed by the watchdog
		err = cmp.Or(t.death(), err)
	}
	t.Close()
	return fmt.Errorf("%s: %w", t.target.Place(), err)
}

// Watch returns a watchdog for a round. It ends the run when a server has died, or
// when no call has ended for a while. It then kills the servers, which ends their
// calls. Cancelling the calls' context would do the same, but a context that can be
// cancelled makes some frameworks slower.
func (t *Testbed) Watch(patience time.Duration) func(loadgen.Progress) error {
	stuck := load.Watchdog(patience)
	return func(p loadgen.Progress) error {
		if err := t.dead(); err != nil {
			if t.lineErr() != nil || t.target.Datagrams {
				load.CloseSoon(t.Load) // which hears nothing any more
			}
			return err
		}
		err := stuck(p)
		if err != nil {
			t.endCalls()
		}
		return err
	}
}

// endCalls ends calls that are stuck: it kills the servers, all at once, since those that live
// would go on with the calls of the others. It closes the client of one that cannot be killed,
// or whose end a network may not tell.
func (t *Testbed) endCalls() {
	var killing sync.WaitGroup
	for _, s := range t.Running {
		if s.Life == nil || t.network.Linked() || t.target.Datagrams {
			load.CloseSoon(t.Load)
		}
		killing.Go(s.Kill)
	}
	killing.Wait()
}
