package cluster

import (
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/outcome"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
)

// openLeaf is an open loop of calls to several servers.
type openLeaf struct {
	call.Leaf
	slow slow
}

var _ rig.Measurer = openLeaf{}

// Measure implements rig.Measurer.
func (l openLeaf) Measure(r *rig.Round) error {
	if err := r.Ready(); err != nil {
		return err
	}
	switch {
	case l.slow.fails():
		return l.fail(r)
	case r.Rig.Fault != "": // its server would not tell what it has handled
		return r.Report(r.Run(r.Config()))
	}
	cfg, d := r.Config(), newDealing(r.Running)
	watched := rig.During(&cfg, d.watch)
	m, err := r.Run(cfg)
	d.stop()
	watched()
	if m.Result != nil {
		d.report(r, l.slow, &m)
	}
	return r.Report(m, err)
}

// fail measures a run in which a server fails. The next round has other servers.
func (l openLeaf) fail(r *rig.Round) error {
	defer r.Close()
	length := l.lengthen(r)
	r.Excuse, r.Probe.Callers = rig.Down, 0
	cfg, d := r.Config(), newDealing(r.Running)
	cfg.Timeout = outcome.Deadline(cfg.Timeout)
	n := outcome.Note(r.Load.(*load.Local), &cfg)
	f := &failure{slow: l.slow, round: r, dealing: d, victim: l.victim(r)}
	defer f.end()
	stopped := cfg.OnStop
	cfg.OnStop = func() {
		f.thaw()
		stopped()
	}
	watched := rig.During(&cfg, d.watch)
	failed := rig.During(&cfg, func() { f.happen(time.Duration(faultAt * float64(length))) })
	m, err := r.Run(cfg)
	d.stop()
	watched()
	failed()
	n.Restore()
	if f.err != nil {
		return r.GiveUp(f.err)
	}
	if m.Result != nil {
		if l.slow.fault != frozen {
			m.CPU = 0 // what the system takes to end a process counts as this one's
		}
		d.report(r, l.slow, &m)
		f.report(n.List(), cfg.Timeout, &m)
	}
	return r.Report(m, err)
}

// lengthen has a round take so long that what follows the failure is seen, and returns how
// long.
func (l openLeaf) lengthen(r *rig.Round) time.Duration {
	second := float64(time.Second)
	length := max(time.Duration(float64(r.N)/float64(l.Rate)*second), l.slow.least())
	r.N = max(r.N, int(float64(l.Rate)*float64(length)/second))
	return length
}

// victim returns the server that fails. If it dies, it is none of the round's servers any
// more: its death is not to end the run.
func (l openLeaf) victim(r *rig.Round) *server.Server {
	at := l.slow.server - 1
	s := r.Running[at]
	if l.slow.fault != frozen {
		r.Running[at] = server.New(server.Given{At: s.Addr()})
		r.Probe.Meters[at] = nil // its figures are not known in the end
	}
	return s
}
