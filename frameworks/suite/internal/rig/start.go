package rig

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/ports"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/settings"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
)

// Start starts a server of a target in a process of its own, at the far end of the
// network's link if the network has one.
func (r *Rig) Start(ctx context.Context, t plan.Target, workload string, n plan.Network) (*server.Server, error) {
	return r.startAt(ctx, plan.Case{Target: t, Spec: plan.Spec{Workload: workload, Addrs: 1}, Network: n}, 1)
}

// startAt is Start of one of the servers of a case, with its number from 1. On this machine
// it listens at several addresses, if the case has several and the framework can.
func (r *Rig) startAt(ctx context.Context, at plan.Case, number int) (*server.Server, error) {
	t, n := at.Target, at.Network
	if t.Given != "" {
		return server.New(server.Given{At: t.Given}), nil
	}
	if r.Machines.Host != "" {
		return r.startRemote(ctx, at, number)
	}
	c := host.Config{Arg: r.Order(t.Variant, at.Workload, at.Slow.Of(number)), Link: r.Networks.Links[n.Name], Addrs: at.Addrs}
	if n.Unix {
		path, err := r.Networks.Socket()
		if err != nil {
			return nil, fmt.Errorf("server: %w", err)
		}
		c.Listen = path
	}
	if at.Returns && !n.Unix && c.Link == nil {
		port, err := ports.Free() // which nobody else is given while the server is down
		if err != nil {
			return nil, fmt.Errorf("server: %w", err)
		}
		c.Port = port
	}
	return r.Launch(ctx, t, at.Cores, c)
}

// Launch starts a server process of a target on this machine, with some cores.
func (r *Rig) Launch(ctx context.Context, t plan.Target, cores plan.Cores, c host.Config) (*server.Server, error) {
	if err := c.Link.Err(); err != nil {
		return nil, err
	}
	c.Serve, c.CPUs, c.Procs = t.ID(), r.Placement.server(cores), r.serverProcs(cores)
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
	if r.Output.pprof {
		fmt.Printf("# server of %s: %s\n", t.ID(), h.PprofURL())
	}
	return server.New(h), nil
}

// startRemote is startAt on one of the machines of -host.
func (r *Rig) startRemote(ctx context.Context, c plan.Case, number int) (*server.Server, error) {
	q, at := remote.Request{Serve: c.ID(), Workload: c.Workload}, r.Machines.at(number)
	if certs := server.CertsFor(c.Variant, r.certificates.made); certs != nil {
		q.Certs, _ = json.Marshal(certs) // of texts it never fails
	}
	if r.Machines.has[at] {
		q.Build, q.Order = r.Agents.Build, []byte(r.Order(c.Variant, "", 1))
	}
	h, err := at.Start(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	return server.New(h), nil
}

// Order is what a server of a variant is told: its workload, "" for none, and how many times
// as long as elsewhere the work takes.
func (r *Rig) Order(v framework.Variant, workload string, times float64) string {
	return r.Servers.Order(r.certificates.made, v, workload, times)
}
