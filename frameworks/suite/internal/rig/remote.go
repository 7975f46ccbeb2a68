package rig

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os/signal"
	"runtime"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/builds"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// ServeRemote starts servers for clients on other machines until the process is
// ended.
func (r *Rig) ServeRemote(all []plan.Target) error {
	secret, err := r.Machines.secret()
	if err != nil {
		return err
	}
	if err := r.identify(); err != nil {
		return err
	}
	identity, err := secret.Identity()
	if err != nil {
		return fmt.Errorf("-token-file: %w", err)
	}
	ports, err := remote.ReadPorts(r.Machines.ports)
	if err != nil {
		return fmt.Errorf("-ports: %w", err)
	}
	l, err := remote.Listen(r.Machines.listen, secret.Token)
	if err != nil {
		return fmt.Errorf("-listen: %w", err)
	}
	if err := ports.Check(l); err != nil {
		return fmt.Errorf("-ports=%v: %w", ports, err)
	}
	secret.Fingerprint = identity.Fingerprint
	if err := r.Machines.writeSecret(secret); err != nil {
		return err
	}
	ended, cancel := signal.NotifyContext(context.Background(), host.EndSignals()...)
	defer cancel()
	r.tellServing(len(all), l.Addr(), secret.Fingerprint)
	return remote.Serve(ended, l, remote.Config{
		Token: secret.Token, Identity: identity, About: r.about(), Ports: ports,
		Tell:    tellServer,
		Prepare: func(q remote.Request) (host.Config, error) { return r.startFor(all, q) },
		Has: func(b builds.Build) error {
			_, err := r.Agents.Shelf.Find(b)
			return err
		},
	})
}

// tellServing says what clients need to know. The line of the fingerprint has nothing else
// in it, so that it can be copied by a program.
func (r *Rig) tellServing(variants int, addr net.Addr, fingerprint string) {
	fmt.Printf("rpcbench: serving %d variants on %s\n%s\n", variants, addr, fingerprint)
	if r.Without != "" {
		fmt.Printf("# %s\n", foreign.Line(r.Without))
	}
	r.tellDoubts()
}

// tellDoubts says what is wrong with the CPUs of the servers.
func (r *Rig) tellDoubts() {
	for _, doubt := range r.Placement.Pinning.Doubts {
		fmt.Printf("# warning: -pin=%s: %s\n", r.Placement.pin, doubt)
	}
}

// about describes this machine and what it serves.
func (r *Rig) about() remote.About {
	return remote.About{Versions: r.Ledger.Known(), Settings: r.facts.all(), GoVersion: runtime.Version(), System: r.system(), Procs: r.serverProcs(plan.Cores{})}
}

// system describes this machine in a few words.
func (s *Settings) system() string {
	system := fmt.Sprintf("%s/%s, %d CPUs", runtime.GOOS, runtime.GOARCH, len(s.Placement.Available))
	if model := legend.CPU(); model != "" {
		system += ", " + model
	}
	return system
}

// startOther is startFor of a server of another build, which knows its variants itself.
func (r *Rig) startOther(q remote.Request) (host.Config, error) {
	file, err := r.Agents.Shelf.Find(*q.Build)
	if err != nil {
		return host.Config{}, err
	}
	order, err := r.Servers.Placed(string(q.Order), q.Workload)
	return host.Config{Serve: q.Serve, File: file, Arg: order, CPUs: r.Placement.Pinning.Server, Procs: r.serverProcs(plan.Cores{})}, err
}

// startFor returns the configuration of the server that a request asks for. It must
// be in the table; workloads and pools have the options of this process.
func (r *Rig) startFor(all []plan.Target, q remote.Request) (host.Config, error) {
	if q.Build != nil && q.Build.Hash != r.Agents.Build.Hash {
		return r.startOther(q)
	}
	var table []framework.Variant
	for _, t := range all {
		table = append(table, t.Variant)
	}
	c := new(layer.Certificates)
	if err := json.Unmarshal(q.Certs, c); len(q.Certs) > 0 && err != nil {
		return host.Config{}, fmt.Errorf("the certificates: %w", err)
	}
	v, err := plan.Find(table, q.Serve, c)
	if err != nil {
		return host.Config{}, fmt.Errorf("%s cannot be served here: %w", q.Serve, err)
	}
	if q.Workload != "" && !slices.Contains(r.Servers.Work.Names(), q.Workload) {
		return host.Config{}, fmt.Errorf("no workload %q is served here", q.Workload)
	}
	return host.Config{Serve: q.Serve, Arg: r.Servers.Order(c, v, q.Workload, 1), CPUs: r.Placement.Pinning.Server, Procs: r.serverProcs(plan.Cores{})}, nil
}
