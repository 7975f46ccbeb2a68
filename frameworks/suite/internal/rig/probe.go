package rig

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// probe reads what both sides use during a run, and lists reasons not to trust the
// run.
type probe struct {
	*usage  // by the servers
	sides   sides
	filling int // callers that are enough to keep a side busy; 0 if they are not
	started time.Time
	busy    time.Duration // of the CPUs of both sides, by any process
	busyErr error
	detail  *detail // nil without -detail
	line    lined
	proxies processes
}

// sides are the CPUs that both sides have.
type sides struct {
	cpus        cpus.Set // of both, on this machine
	serverProcs int
	clientProcs int
	apart       bool // neither side takes CPU time from the other
	remote      bool // the servers are on another machine
	spread      bool // so are clients
}

func (p *probe) start() {
	p.line.start()
	p.proxies.start()
	p.usage.start()
	p.detail.start(p.sides.cpus)
	p.busy, p.busyErr = cpus.Busy(p.sides.cpus)
	p.started = time.Now()
}

func (p *probe) stop() {
	busy, err := cpus.Busy(p.sides.cpus)
	p.busy, p.busyErr = busy-p.busy, cmp.Or(p.busyErr, err)
	p.detail.stop(p.sides.cpus)
	p.usage.stop()
	p.proxies.stop()
	p.line.stop()
}

// metrics returns the servers' metrics and how busy both sides were. What could not
// be read is left out; doubts says so.
func (p *probe) metrics(m measured) []loadbench.Metric {
	list := p.usage.metrics(m.Sent, "server-")
	if p.err == nil && m.Sent > 0 {
		list = append(list,
			loadbench.Metric{Value: float64(p.cpu) / float64(m.Sent), Unit: "server-cpu-ns/op"},
			loadbench.Metric{Value: 100 * share(p.cpu, m.Elapsed, p.sides.serverProcs), Unit: "server-busy-%"})
	}
	if m.CPU > 0 {
		list = append(list, loadbench.Metric{Value: 100 * share(m.CPU, m.Elapsed, p.sides.clientProcs), Unit: "client-busy-%"})
	}
	return slices.Concat(list, p.line.metrics(m), p.proxies.metrics(m), p.detail.metrics(m, p))
}

// enoughTime is the shortest run for which shares of the CPU are reported. The kernel
// counts CPU time in hundredths of a second.
const enoughTime = 200 * time.Millisecond

// doubts lists reasons not to trust a run; failed is why it ended early, nil if it
// did not. A server that died has no figures, and its death is told elsewhere.
func (p *probe) doubts(m measured, failed error) (list []string) {
	if err := p.unknown(); err != nil && failed == nil {
		list = append(list, fmt.Sprintf("the server's figures could not be read: %v", err))
	}
	list = append(list, warnings(m)...)
	if failed == nil {
		list = slices.Concat(list, p.line.doubts(m), p.proxies.doubts(m))
	}
	if m.Elapsed < enoughTime || p.err != nil {
		return list
	}
	list = append(list, p.contention(m)...)
	if m.Closed && p.sides.apart {
		list = append(list, p.limit(m)...)
	}
	return list
}

// mostWarnings is how many warnings of several clients are told one by one: they are mostly
// alike.
const mostWarnings = 3

// warnings lists what the load generator doubts.
func warnings(m measured) (list []string) {
	for _, w := range m.Warnings {
		if m.Sent > 1 && !errors.Is(w, loadgen.ErrFewCalls) { // no warning: the line has no p99 then
			list = append(list, w.Error())
		}
	}
	if more := len(list) - mostWarnings; more > 0 && len(m.parts) > 0 {
		list = append(list[:mostWarnings], fmt.Sprintf("and %d warnings more of the %d clients", more, len(m.parts)))
	}
	return list
}

// muchOthers is the share of the CPUs that other processes may take without a
// warning.
const muchOthers = .10

// contention warns if other processes used the CPUs of the two sides.
func (p *probe) contention(m measured) []string {
	others := share(p.busy-p.used(m), m.Elapsed, len(p.sides.cpus))
	if p.busyErr != nil || p.sides.spread || others < muchOthers {
		return nil
	}
	return []string{fmt.Sprintf("other processes took %.0f %% of the CPUs", others*100)}
}

// used returns the CPU time of both sides on this machine, and of the line or the proxies
// between them, which mostly share their CPUs.
func (p *probe) used(m measured) time.Duration {
	here := m.CPU + p.line.counts.CPU + p.proxies.cpu
	if p.sides.remote {
		return here
	}
	return here + p.cpu
}

// A side is busy from saturated on. The client's own limit is higher, since it also
// has the work of measuring.
const (
	saturated  = .90
	bottleneck = .95
)

// limit warns if the servers were not what limited a closed loop: the client was, or
// neither side.
func (p *probe) limit(m measured) []string {
	client := share(m.CPU, m.Elapsed, p.sides.clientProcs)
	server := share(p.cpu, m.Elapsed, p.sides.serverProcs)
	used := fmt.Sprintf("used %.0f %% of its CPUs, the server %.0f %%", client*100, server*100)
	switch {
	case server >= saturated || m.CPU == 0:
		return nil
	case client >= bottleneck:
		return []string{"the client was the bottleneck: it " + used}
	case client < saturated && p.filling > 0:
		return []string{fmt.Sprintf("neither side was saturated by %d callers for %d+%d procs: the client %s", p.filling, p.sides.clientProcs, p.sides.serverProcs, used)}
	}
	return nil
}

// aHandful of callers saturate nothing by nature. If client and server take equally
// long for a call, each time at random, one proc of each is busy for N/(N+1) of the
// time with N callers: 9 callers are the first to reach saturated.
const aHandful = 8

// filling returns the callers of a case, if one side could be saturated by them: there
// are more than both sides have procs, so that some wait for one. With few for each
// proc the sides may still wait for each other, therefore the warning names both. It
// returns 0 if there are fewer, or if calls wait by nature, for a handler with a
// workload or a slow network.
func (s sides) filling(c plan.Case) int {
	waits := c.Workload != "" || c.Waits()
	if waits || c.Workers <= max(aHandful, s.clientProcs+s.serverProcs) {
		return 0
	}
	return c.Workers
}
