package rig

import (
	"fmt"
	"os"
	"regexp"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
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
		case agentID:
			return newAgent(finder(t, list))
		case tracerID:
			return newTracer()
		}
		o, err := readOrder(arg)
		if err != nil {
			return nil, err
		}
		v, err := plan.Find(t.linked(), id, o.Certs)
		if err != nil {
			return nil, err
		}
		return o.serve(v, newWorkloads(t.Workloads))
	}, versions)
}

// finder returns what finds the case of an agent: it makes the same plan as the parent, from
// the same flags.
func finder(t Table, list Benchmarks) func(prepareRequest) (Found, error) {
	return func(o prepareRequest) (Found, error) {
		f := NewFlags(t, list)
		if err := f.set(o.Flags); err != nil {
			return Found{}, err
		}
		f.Settings.certificates.made = o.Certs
		if err := f.Check(); err != nil {
			return Found{}, err
		}
		f.Options.Pattern = regexp.QuoteMeta(o.Case) // which names the keys of what is called
		p, err := f.Plan()
		if err != nil {
			return Found{}, err
		}
		c, err := p.Case(o.Case)
		return Found{c, f.Settings.Load, f.Options.Wait()}, err
	}
}
