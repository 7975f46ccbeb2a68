// Package rig measures the cases of a plan: it starts servers, makes the load,
// reads the CPU and memory of both sides, and reports. Settings holds the constants
// of a run, and Ledger what is printed after its lines. Bench lists the methods of
// *testing.B that the rig uses.
package rig

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/settings"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ledger"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ranks"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
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

// Start starts a server of a target in a process of its own, at the far end of the
// network's link if the network has one.
func (r *Rig) Start(ctx context.Context, t plan.Target, workload string, n plan.Network) (*server.Server, error) {
	return r.startAt(ctx, t, workload, n, 1)
}

// startAt is Start of a server that listens at several addresses, if it is on this machine
// and the framework can.
func (r *Rig) startAt(ctx context.Context, t plan.Target, workload string, n plan.Network, addrs int) (*server.Server, error) {
	if t.Given != "" {
		return server.New(server.Given{At: t.Given}), nil
	}
	if r.Machines.Far != nil {
		return r.startRemote(ctx, t, workload)
	}
	c := host.Config{Arg: r.Order(t.Variant, workload), Link: r.Networks.Links[n.Name], Addrs: addrs}
	if n.Unix {
		path, err := r.Networks.Socket()
		if err != nil {
			return nil, fmt.Errorf("server: %w", err)
		}
		c.Listen = path
	}
	return r.Launch(ctx, t, c)
}

// Launch starts a server process of a target on this machine.
func (r *Rig) Launch(ctx context.Context, t plan.Target, c host.Config) (*server.Server, error) {
	if err := c.Link.Err(); err != nil {
		return nil, err
	}
	c.Serve, c.CPUs, c.Procs = t.ID(), r.Placement.Pinning.Server, r.serverProcs()
	h, err := host.Start(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	if differ := settings.Differences(r.facts.runtime, h.Ready().Settings); len(differ) > 0 {
		r.Ledger.Warn("server of "+t.ID(), "it sets the Go runtime otherwise than the client (here): "+strings.Join(differ, ", "))
	}
	changed := r.Ledger.Correct(h.Ready().Versions)
	if r.prints { // splits no line: servers start in the first round of a case, before its line begins
		legend.Print(os.Stdout, "", inLines(changed))
	}
	if r.Output.Pprof {
		fmt.Printf("# server of %s: %s\n", t.ID(), h.PprofURL())
	}
	return server.New(h), nil
}

// startRemote is Start on the machine of -host.
func (r *Rig) startRemote(ctx context.Context, t plan.Target, workload string) (*server.Server, error) {
	q := remote.Request{Serve: t.ID(), Workload: workload}
	if c := server.CertsFor(t.Variant, r.certificates.made); c != nil {
		q.Certs, _ = json.Marshal(c) // of texts it never fails
	}
	h, err := r.Machines.Far.Start(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	return server.New(h), nil
}

// sides returns what a probe needs to know of both sides.
func (r *Rig) sides() probe.Sides {
	return probe.Sides{
		Cpus: r.Placement.CPUs(), ServerProcs: r.serverProcs(), ClientProcs: cmp.Or(r.Ranks.Total.Procs, load.ClientProcs()),
		Apart: r.Placement.Pinning.Pinned() || r.Machines.Far != nil, Remote: r.Machines.Far != nil, Spread: r.Ranks.Meeting != nil,
	}
}

func (r *Rig) tellProfile(err error) {
	if err != nil {
		r.Ledger.Lose(fmt.Errorf("profile of the server: %w", err))
	}
}

// Order is what a server of a variant is told.
func (r *Rig) Order(v framework.Variant, workload string) string {
	return r.Servers.Order(r.certificates.made, v, workload)
}

// Certificates returns what layers of TLS need.
func (r *Rig) Certificates() *framework.Certificates { return r.certificates.made }

// serverProcs returns the GOMAXPROCS of the servers.
func (r *Rig) serverProcs() int {
	if r.Machines.Far != nil {
		return r.Machines.Far.About().Procs
	}
	return r.Placement.serverProcs()
}

// Follow is all that a rank other than 0 does. The error says why the run ended; nil for an
// orderly end.
func (r *Rig) Follow() error {
	return load.Follow(&r.Agents, r.Ranks.Gather+time.Minute) // rank 0 starts a server before its first order
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
	self := ranks.Self{Flags: together(r.Agents.Flags, testing), Machine: r.facts.all(), System: r.system(), Procs: runtime.GOMAXPROCS(0), CPUs: len(r.Placement.Available)}
	if err := self.Describe(); err != nil {
		return err
	}
	err := r.Ranks.Meet(r.Machines.Far, self, r.Ledger)
	r.Agents.Meeting, r.Agents.Others = r.Ranks.Meeting, r.Ranks.Others
	return err
}
