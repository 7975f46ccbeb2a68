// Package rig measures the cases of a plan. A Testbed has the servers and the load of a
// variant, and a Round is one run of a case: its calls, what is read of both sides, and its
// line. Settings are the constants of a run.
package rig

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ledger"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ranks"
)

// Rig measures the cases of a run.
type Rig struct {
	*Settings
	Ledger  *ledger.Ledger
	Without string // what the environment lacks, for a line with #; empty for nothing
	Options *plan.Options
	setups  map[string]string // of the workloads that were tried
	reports map[string]string // what reports read of the variants
	prints  bool              // print the versions that servers report

	frameworks int // in this binary, references left out
}

// sides returns what a probe needs to know of both sides, where the server has some cores.
func (r *Rig) sides(c plan.Cores) probe.Sides {
	return probe.Sides{
		CPUs: r.Placement.both(c), ServerProcs: r.serverProcs(c), ClientProcs: cmp.Or(r.Ranks.Total.Procs, load.ClientProcs()),
		Apart: r.Placement.Pinning.Pinned() && !c.Shared || r.Machines.Host != "", Remote: r.Machines.Host != "", Spread: r.Ranks.Meeting != nil,
	}
}

func (r *Rig) tellProfile(err error) {
	if err != nil {
		r.Ledger.Lose(fmt.Errorf("profile: %w", err))
	}
}

// Certificates returns what layers of TLS need.
func (r *Rig) Certificates() *layer.Certificates { return r.certificates.made }

// serverProcs returns the GOMAXPROCS of servers that have some cores, on the first of several hosts.
func (r *Rig) serverProcs(c plan.Cores) int {
	if len(r.Machines.far) > 0 {
		return r.Machines.far[0].About().Procs
	}
	return r.Placement.serverProcs(c)
}

// allProcs are the procs that servers have together: those on one machine share them.
func (r *Rig) allProcs(servers int, c plan.Cores) (procs int) {
	if len(r.Machines.far) == 0 {
		return r.serverProcs(c)
	}
	for _, one := range r.Machines.far[:min(servers, len(r.Machines.far))] {
		procs += one.About().Procs
	}
	return procs
}

// Follow is all that a rank other than 0 does. The error says why the run ended; nil for an
// orderly end.
func (r *Rig) Follow() error {
	return load.Follow(&r.Agents, r.Ranks.Gather+time.Minute) // rank 0 starts a server before its first order
}

// Stay follows run after run, until none begins for the time of -stay. tell is called with why a run
// ended that did not end in order.
func (r *Rig) Stay(tell func(error)) error {
	for last := time.Now(); ; {
		met, err := r.follow()
		if met {
			last = time.Now()
		}
		switch {
		case err == nil:
			continue
		case errors.Is(err, remote.ErrNoOrder):
			return nil
		case time.Since(last) > r.Ranks.Stay:
			return err
		}
		tell(err)
		time.Sleep(min(time.Second, r.Ranks.Stay/10)) // the serving side may be about to start again
	}
}

// follow follows one run. met is whether there was one to wait for.
func (r *Rig) follow() (met bool, err error) {
	if err := r.Connect(); err != nil {
		return false, err
	}
	if err := r.Meet(nil); err != nil {
		return false, err
	}
	return true, load.Follow(&r.Agents, r.Ranks.Stay)
}

// Meet brings this rank together with the others of its run. testing are the flags of
// package testing. A process that is no rank meets nobody.
func (r *Rig) Meet(testing map[string]string) error {
	if r.Options.Ranks <= 1 {
		return nil
	}
	if err := r.Ranks.CheckResults(r.Output.results); err != nil {
		return err
	}
	self := ranks.Self{
		Build: *r.Agents.Build, Stays: r.Ranks.Stays(), Flags: together(r.Agents.Flags, testing), Machine: r.facts.all(), System: r.system(),
		Procs: runtime.GOMAXPROCS(0), CPUs: len(r.Placement.Available), Hosts: r.Machines.ids(),
	}
	err := r.Ranks.Meet(r.Machines.far[0], self, r.Ledger)
	r.Agents.Meeting, r.Agents.Others = r.Ranks.Meeting, r.Ranks.Others
	return err
}
