// Package probe reads what both sides use during a run, and what a single call costs besides
// time. It says what makes the figures of a run wrong, and which side limited it.
package probe

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Probe reads what both sides use during a run.
type Probe struct {
	*Usage  // by the servers
	Sides   Sides
	Callers int // 0 if too few to saturate a side
	Started time.Time
	busy    time.Duration // of the CPUs of both sides, by any process
	busyErr error
	Detail  *Detail // nil without -detail
	Line    Line
	Proxies Proxies
}

// Sides are the CPUs that both sides have.
type Sides struct {
	CPUs        cpus.Set // of both, on this machine
	ServerProcs int
	ClientProcs int
	Apart       bool // neither side takes CPU time from the other
	Remote      bool // the servers are on another machine
	Spread      bool // so are clients
}

// busy returns how long the CPUs of both sides have worked. What the kernel does for a network
// to another machine interrupts anybody, and is left out.
func (s Sides) busy() (time.Duration, error) {
	busy, err := cpus.Busy(s.CPUs)
	if err != nil || !s.Remote {
		return busy, err
	}
	soft, err := cpus.ReadTaken(s.CPUs)
	return busy - soft.Inside, err
}

// Start is called when the calls begin.
func (p *Probe) Start() {
	p.Line.start()
	p.Proxies.start()
	p.Usage.start()
	p.Detail.start(p.Sides.CPUs)
	p.busy, p.busyErr = p.Sides.busy()
	p.Started = time.Now()
}

// Stop is called when the calls have ended.
func (p *Probe) Stop() {
	busy, err := p.Sides.busy()
	p.busy, p.busyErr = busy-p.busy, cmp.Or(p.busyErr, err)
	p.Detail.stop(p.Sides.CPUs)
	p.Usage.stop()
	p.Proxies.stop()
	p.Line.stop()
}

// Metrics returns the servers' metrics and how busy both sides were. What could not
// be read is left out; doubts says so.
func (p *Probe) Metrics(m load.Measured) []loadbench.Metric {
	list := p.Usage.metrics(m.Sent, "server-")
	if p.Err == nil && m.Sent > 0 {
		list = append(list,
			loadbench.Metric{Value: float64(p.cpu) / float64(m.Sent), Unit: "server-cpu-ns/op"},
			loadbench.Metric{Value: 100 * share(p.cpu, m.Elapsed, p.Sides.ServerProcs), Unit: "server-busy-%"})
	}
	if m.CPU > 0 {
		list = append(list, loadbench.Metric{Value: 100 * share(m.CPU, m.Elapsed, p.Sides.ClientProcs), Unit: "client-busy-%"})
	}
	return slices.Concat(list, p.Line.metrics(m), p.Proxies.metrics(m), p.Detail.metrics(m, p))
}

// EnoughTime is the shortest run for which shares of the CPU are reported. The kernel
// counts CPU time in hundredths of a second.
const EnoughTime = 200 * time.Millisecond

// Doubts lists what makes figures of a run wrong; failed is why it ended early, nil if it
// did not. Which side was the limit makes none wrong. A server that died has no figures, and
// its death is told elsewhere.
func (p *Probe) Doubts(m load.Measured, failed error) (list []string) {
	if err := p.unknown(); err != nil && failed == nil {
		list = append(list, fmt.Sprintf("the server's figures could not be read: %v", err))
	}
	list = append(list, warnings(m)...)
	if failed == nil {
		list = slices.Concat(list, p.Line.doubts(m), p.Proxies.doubts())
	}
	if m.Elapsed < EnoughTime || p.Err != nil {
		return list
	}
	return append(list, p.contention(m)...)
}

// mostWarnings is how many warnings of several clients are told one by one: they are mostly
// alike.
const mostWarnings = 3

// warnings lists what the load generator doubts.
func warnings(m load.Measured) (list []string) {
	for _, w := range loadbench.OfLine(m.Warnings) {
		if m.Sent > 1 {
			list = append(list, w.Error())
		}
	}
	if more := len(list) - mostWarnings; more > 0 && len(m.Parts) > 0 {
		list = append(list[:mostWarnings], fmt.Sprintf("and %d warnings more of the %d clients", more, len(m.Parts)))
	}
	return list
}

// muchOthers is the share of the CPUs that other processes may take without a warning. As
// each side waits for the other, calls/s loses more than this share, and p99 more still.
const muchOthers = .10

// contention warns if other processes used the CPUs of the two sides.
func (p *Probe) contention(m load.Measured) []string {
	others, known := p.others(m)
	if !known || others < muchOthers {
		return nil
	}
	return []string{fmt.Sprintf("other processes took %.0f %% of the CPUs", others*100)}
}

// others is the share of the CPUs of the two sides that other processes used.
func (p *Probe) others(m load.Measured) (of float64, known bool) {
	known = p.busyErr == nil && p.Err == nil && !p.Sides.Spread && len(p.Sides.CPUs) > 0
	return share(p.busy-p.used(m), m.Elapsed, len(p.Sides.CPUs)), known
}

// used returns the CPU time of both sides on this machine, and of the line or the proxies
// between them, which mostly share their CPUs.
func (p *Probe) used(m load.Measured) time.Duration {
	here := m.CPU + p.Line.counts.CPU + p.Proxies.cpu
	if p.Sides.Remote {
		return here
	}
	return here + p.cpu
}

// A side is busy from saturated on: it also waits for the other. A client that is in the way
// of an overload is busier, since it has the work of measuring as well.
const (
	saturated  = .90
	bottleneck = .95
)

// Limit returns which side limited a closed loop, in the words of the ranking that benchreport
// prints; "" if that cannot be told, as where both sides have the same CPUs, or where so few
// callers saturate nothing.
func (p *Probe) Limit(m load.Measured) string {
	client, server, known := p.busyness(m)
	switch {
	case !m.Closed || !known:
	case p.Proxies.busy(m) > saturated:
		return "the proxy"
	case client >= saturated && server >= saturated:
		return "both sides"
	case client >= saturated:
		return "the client"
	case server >= saturated:
		return "the server"
	case p.Callers > 0:
		return "neither side"
	}
	return ""
}

// Starved says that the client was saturated and the servers were not; "" if it is not so.
func (p *Probe) Starved(m load.Measured) string {
	client, server, known := p.busyness(m)
	if !known || client < bottleneck || server >= saturated {
		return ""
	}
	return fmt.Sprintf("the client used %.0f %% of its CPUs, and the server only %.0f %%", client*100, server*100)
}

// busyness returns which share of its CPUs each side used, if each has its own.
func (p *Probe) busyness(m load.Measured) (client, server float64, known bool) {
	known = p.Sides.Apart && p.Err == nil && m.CPU > 0 && m.Elapsed >= EnoughTime
	return share(m.CPU, m.Elapsed, p.Sides.ClientProcs), share(p.cpu, m.Elapsed, p.Sides.ServerProcs), known
}

// aHandful of callers saturate nothing by nature. If client and server take equally
// long for a call, each time at random, one proc of each is busy for N/(N+1) of the
// time with N callers: 9 callers are the first to reach saturated.
const aHandful = 8

// Callers returns the callers of a case, if one side could be saturated by them: there
// are more than both sides have procs, so that some wait for one. With few for each
// proc the sides may still wait for each other. It returns 0 if there are fewer, or if calls
// wait by nature, for a handler with a workload or a slow network.
func (s Sides) Callers(c plan.Case) int {
	waits := c.Workload != "" || c.Waits()
	if waits || c.Workers <= max(aHandful, s.ClientProcs+s.ServerProcs) {
		return 0
	}
	return c.Workers
}
