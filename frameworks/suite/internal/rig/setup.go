package rig

import (
	"context"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/machine"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/settings"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// New makes a rig from flags that Check has accepted.
func New(f *Flags) (*Rig, error) {
	versions, err := versionsOf(f.table.GoMod, f.Options.Wrapped(f.table.linked()))
	if err != nil {
		return nil, err
	}
	f.Settings.runtime, f.Settings.here = settings.Here(), machine.Here()
	r := &Rig{Settings: &f.Settings, Ledger: newLedger(versions), options: f.Options, frameworks: f.table.frameworks()}
	r.links, r.scratch, r.reports = links{}, new(folder), aboutVariants(f.table.linked())
	return r, r.choosePinning(f.Options)
}

// OpenNetworks makes the networks that a plan needs, and removes from the plan the cases
// over those that this machine cannot make. Before that, this process executes itself again
// where it has to, so that nothing is made or tried twice.
func (r *Rig) OpenNetworks(p *plan.Plan, cpu string) error {
	networks, entered := p.Networks(), error(nil)
	if slices.ContainsFunc(networks, plan.Network.Linked) {
		entered = link.Enter()
	}
	if len(networks) > 0 {
		if err := r.pinSelf(cpu); err != nil {
			return err
		}
	}
	for _, n := range networks {
		err := entered
		if err == nil || !n.Linked() {
			err = r.openNetwork(n)
		}
		if err != nil {
			p.LeaveOutNetwork(n, err)
		}
	}
	return nil
}

// Connect connects to the machine of -host, if that is set.
func (r *Rig) Connect() error {
	if r.host == "" {
		return nil
	}
	secret, err := r.secret()
	if err != nil {
		return err
	}
	r.machine, err = r.patiently(func() (*remote.Machine, error) { return remote.Dial(context.Background(), r.host, secret) })
	if err != nil {
		return fmt.Errorf("-host: %w", err)
	}
	if differ := r.differences(); differ != "" {
		r.Ledger.warn("-host="+r.host, "the two machines do not run the same: "+differ)
	}
	return nil
}

// Prepare tries what a plan needs before anything is measured: profiles, CPUs,
// given servers, the directory of results and workloads. It removes from the plan
// what a given server cannot do.
func (r *Rig) Prepare(p *plan.Plan, cpu string) error {
	for _, err := range []error{r.profiles.check(p.Names()), r.checkPooled(p), p.CheckWindows(), p.CheckCalls()} {
		if err != nil {
			return err
		}
	}
	if err := r.pinSelf(cpu); err != nil {
		return err
	}
	r.Ledger.warn("-pin="+r.pin, r.pinning.Doubts...)
	for _, t := range p.Targets {
		if t.Given == "" {
			continue
		}
		if err := r.tryServer(p, t); err != nil {
			return err
		}
	}
	if err := p.Empty(); err != nil {
		return err
	}
	r.checkLayers(p)
	if err := r.Ledger.keepIn(r.results); err != nil || r.machine != nil {
		return err // the other machine runs the workloads
	}
	setups, err := r.workloads.try(p.Workloads())
	r.setups = setups
	return err
}

// pinSelf pins the client to its CPUs; cpu is the value of -test.cpu.
func (r *Rig) pinSelf(cpu string) error {
	if !r.pinning.Pinned() {
		return nil
	}
	if cpu != "" {
		return fmt.Errorf("-cpu=%s: the client is pinned and has as many procs as CPUs; add -pin=off to use -cpu", cpu)
	}
	return cpus.PinSelf(r.pinning.Client)
}

// Close removes what was made for the networks of the run, and ends it for the other ranks.
func (r *Rig) Close() {
	r.Abandon("")
	r.links.close()
	r.scratch.close()
}
