package rig

import (
	"cmp"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/proxy"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// tryProgram tries the program of a network, and notes its version.
func (r *Rig) tryProgram(n plan.Network) error {
	dir, err := r.scratch.below()
	if err != nil {
		return err
	}
	if err := proxy.Try(proxy.Config{Program: n.Program, Dir: dir}); err != nil {
		return err
	}
	version, err := proxy.Version(n.Program)
	r.lines = append(r.lines, fmt.Sprintf("net=%s: %s, which passes TCP on, in one process that uses one CPU", n.Name, foreign.Line(version)))
	return err
}

// startProxy starts what a network has between the load and a server.
func (r *Rig) startProxy(n plan.Network, server string) (framework.Server, error) {
	if n.Program == "" {
		if r.proxy == nil {
			return nil, errNoProxy
		}
		return r.proxy(server, n.Proxy)
	}
	dir, err := r.scratch.below()
	if err != nil {
		return nil, err
	}
	p, err := proxy.Start(proxy.Config{Program: n.Program, Server: server, Dir: dir, CPUs: r.pinning.Line})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// ownProcess is a proxy that is a process of its own.
type ownProcess interface {
	CPU() (time.Duration, error)
	Err() error // why it ended; nil while it runs
}

// processes are the proxies of a case. Their CPU time is counted during a run.
type processes struct {
	list []ownProcess
	cpu  time.Duration
	err  error
}

func processesOf(proxies []framework.Server) (p processes) {
	for _, one := range proxies {
		if own, ok := one.(ownProcess); ok {
			p.list = append(p.list, own)
		}
	}
	return p
}

func (p *processes) start() { p.cpu = -p.read() }
func (p *processes) stop()  { p.cpu += p.read() }

func (p *processes) read() (sum time.Duration) {
	for _, one := range p.list {
		cpu, err := one.CPU()
		sum, p.err = sum+cpu, cmp.Or(p.err, err)
	}
	return sum
}

// metrics returns what the proxies cost.
func (p *processes) metrics(m measured) []loadbench.Metric {
	if len(p.list) == 0 || p.err != nil || m.Sent == 0 {
		return nil
	}
	return []loadbench.Metric{
		{Value: float64(p.cpu) / float64(m.Sent), Unit: "net-cpu-ns/op"},
		{Value: 100 * share(p.cpu, m.Elapsed, 1), Unit: "net-busy-%"},
	}
}

// doubts says that the proxies were what limited the run.
func (p *processes) doubts(m measured) []string {
	busy := share(p.cpu, m.Elapsed, max(len(p.list), 1))
	switch {
	case p.err != nil:
		return []string{fmt.Sprintf("the CPU time of the proxy could not be read: %v", p.err)}
	case busy > saturated && m.Elapsed >= enoughTime:
		return []string{fmt.Sprintf("the proxy was the bottleneck: it used %.0f %% of a CPU", 100*busy)}
	}
	return nil
}

// dead says why one of them ended.
func (p *processes) dead() (err error) {
	for _, one := range p.list {
		err = cmp.Or(err, one.Err())
	}
	return err
}
