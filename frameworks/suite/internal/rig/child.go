package rig

import (
	"fmt"
	"os"
	"regexp"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/work"
)

// Serve is all that a process started by host.Start does. It is a server, or an agent
// that makes a share of the calls.
func Serve(t Table, list Benchmarks) (exitCode int) {
	versions, err := legend.Versions(t.GoMod, t.linked())
	if err != nil {
		fmt.Fprintln(os.Stderr, foreign.Error(err))
		return 2
	}
	return host.Serve(func(id, arg string) (host.Server, error) {
		switch id {
		case load.AgentID:
			return load.NewAgent(finder(t, list))
		case probe.TracerID:
			return probe.NewTracer()
		}
		o, err := server.ReadOrder(arg)
		if err != nil {
			return nil, err
		}
		v, err := plan.Find(t.sending(o.Message).linked(), id, o.Certs)
		if err != nil {
			return nil, err
		}
		return o.Serve(v, work.New(t.Workloads))
	}, versions)
}

// finder returns what finds the case of an agent: it makes the same plan as the parent, from
// the same flags.
func finder(t Table, list Benchmarks) func(load.PrepareRequest) (load.Found, error) {
	return func(o load.PrepareRequest) (load.Found, error) {
		f := NewFlags(t, list)
		delete(o.Flags, "stay") // an agent is no rank itself
		if err := f.set(o.Flags); err != nil {
			return load.Found{}, err
		}
		f.Settings.certificates.made = o.Certs
		if err := f.Check(); err != nil {
			return load.Found{}, err
		}
		f.Options.Pattern = regexp.QuoteMeta(o.Case) // which names the keys of what is called
		p, err := f.Plan()
		if err != nil {
			return load.Found{}, err
		}
		c, err := p.Case(o.Case)
		return load.Found{Case: c, Load: f.Settings.Load, Slack: f.Options.Slack(), Schedule: f.Options.Schedule, FakeTime: f.Options.FakeTime}, err
	}
}
