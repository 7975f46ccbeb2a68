package rig

import (
	"context"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/builds"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/machine"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/settings"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ledger"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/trial"
)

// New makes a rig from flags that Check has accepted.
func New(f *Flags) (*Rig, error) {
	versions, err := legend.Versions(f.table.GoMod, f.Options.Wrapped(f.table.linked()))
	if err != nil {
		return nil, err
	}
	f.Settings.facts = facts{settings.Here(), machine.Here()}
	r := &Rig{Settings: &f.Settings, Ledger: ledger.New(versions), Options: f.Options, frameworks: f.table.frameworks()}
	r.reports = legend.About(f.table.linked())
	err = r.place()
	r.Agents.CPUs, r.Agents.Shelf = r.Placement.Pinning.Client, new(builds.Shelf)
	r.Networks.CPUs, r.Networks.Buffers = r.Placement.Pinning.Line, buffers(f.Options)
	return r, err
}

// place decides where the two sides run. Clients of other processes are told which servers share
// their cores.
func (r *Rig) place() error {
	if len(r.Options.Cores.Values) == 0 {
		return r.Placement.choose(r.apart())
	}
	err := r.Placement.grade(r.Options)
	r.Agents.Flags["cores"] = r.Options.Cores.String()
	return err
}

// apart says why the two sides do not share the CPUs of this machine; "" if they do.
func (r *Rig) apart() string {
	switch {
	case r.Options.Given():
		return "the server is not ours to pin"
	case r.Machines.apart():
		return "client and servers have a machine each"
	}
	return ""
}

// buffers is what TCP may keep for a connection, so that a window of -window is what limits
// it: the kernel counts a packet as more than twice its bytes.
func buffers(o *plan.Options) (most int) {
	for _, window := range o.Windows.Values {
		most = max(most, 4*window)
	}
	return most
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
		if err := r.Placement.pinSelf(cpu); err != nil {
			return err
		}
	}
	for _, n := range networks {
		err := entered
		if err == nil || !n.Linked() {
			err = r.Networks.Open(n)
		}
		if err != nil {
			p.LeaveOutNetwork(n, err)
		}
	}
	return nil
}

// Connect connects to the machines of -host, if there are any.
func (r *Rig) Connect() error {
	if r.Machines.Host == "" {
		return nil
	}
	secret, err := r.Machines.secret()
	if err == nil {
		err = r.identify()
	}
	if err != nil {
		return err
	}
	r.Machines.far, r.Machines.has = nil, map[*remote.Machine]bool{}
	for _, addr := range r.Machines.hosts() {
		one, err := r.Ranks.Patiently(func() (*remote.Machine, error) { return remote.Dial(context.Background(), addr, secret) })
		if err != nil {
			return fmt.Errorf("-host: %w", err)
		}
		r.Machines.far = append(r.Machines.far, one)
		r.Machines.has[one] = one.Has(context.Background(), *r.Agents.Build) == nil
		if differ := r.otherBuild(one); differ != "" && r.Output.anatomy != "" {
			return fmt.Errorf("-anatomy: the server of -host=%s is of another build, so that parts of the two sides cannot be compared: %s", addr, differ)
		}
		r.Ledger.Warn("-host="+addr, r.doubts(one)...)
	}
	return r.Machines.checkApart()
}

// doubts says in what a machine of servers is not like this one, or like the first of them.
func (r *Rig) doubts(one *remote.Machine) (list []string) {
	if !r.Machines.has[one] {
		list = append(list, fmt.Sprintf("its servers are of another build: there is no %v beside its own file", *r.Agents.Build))
	}
	if differ := r.differences(one); differ != "" {
		list = append(list, "the two machines do not run the same: "+differ)
	}
	there := r.Machines.far[0]
	if a, b := one.About(), there.About(); a.System != b.System || a.Procs != b.Procs {
		list = append(list, fmt.Sprintf("it is not like %s: %s with %d procs for a server, and there %s with %d", there.Addr(), a.System, a.Procs, b.System, b.Procs))
	}
	return list
}

// identify finds out once which build this process is of: it reads the whole file.
func (r *Rig) identify() error {
	if r.Agents.Build != nil {
		return nil
	}
	own, err := builds.Own()
	r.Agents.Build = &own
	return err
}

// Prepare tries what a plan needs before anything is measured: profiles, CPUs,
// given servers, the directory of results and workloads. It removes from the plan
// what a given server cannot do.
func (r *Rig) Prepare(p *plan.Plan, cpu string) error {
	for _, err := range []error{r.Profiles.Check(p.Names()), r.Output.checkAnatomy(p), r.Servers.CheckPlan(p), p.CheckWindows(), p.CheckMetadata(), p.CheckCalls(), r.Machines.checkRoom(p.Selected())} {
		if err != nil {
			return err
		}
	}
	if err := r.Placement.pinSelf(cpu); err != nil {
		return err
	}
	r.Ledger.Warn(r.Placement.flag(), r.Placement.Pinning.Doubts...)
	r.checkBuffers(p)
	for _, t := range p.Targets {
		if t.Given == "" {
			continue
		}
		if err := trial.Server(&r.Load, p, t); err != nil {
			return err
		}
	}
	if err := p.Empty(); err != nil {
		return err
	}
	r.checkLayers(p)
	if err := r.Ledger.KeepIn(r.Output.results, r.Output.anatomy); err != nil || r.Machines.Host != "" {
		return err // the other machine runs the workloads
	}
	setups, err := r.Servers.Work.Try(p.Workloads())
	r.setups = setups
	return err
}

// checkBuffers warns once of small socket buffers, if a case is over UDP.
func (r *Rig) checkBuffers(p *plan.Plan) {
	over := func(c plan.Case) bool { return c.Datagrams }
	if !slices.ContainsFunc(p.Selected(), over) {
		return
	}
	if text := sockets.SmallBuffers(); text != "" {
		r.Ledger.Warn("QUIC", text)
	}
}

// Close removes what was made for the networks of the run, and ends it for the other ranks.
func (r *Rig) Close() {
	r.Ranks.Abandon("")
	r.Networks.Close()
}
