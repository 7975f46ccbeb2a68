package rig

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// probe reads what both sides use during a run, and lists reasons not to trust the
// run.
type probe struct {
	*usage  // by the servers
	sides   sides
	started time.Time
	busy    time.Duration // of the CPUs of both sides, by any process
	busyErr error
}

// sides are the CPUs that both sides have.
type sides struct {
	cpus        host.CPUSet // of both, on this machine
	serverProcs int
	clientProcs int
	apart       bool // neither side takes CPU time from the other
	remote      bool // the servers are on another machine
}

func (p *probe) start() {
	p.usage.start()
	p.busy, p.busyErr = host.Busy(p.sides.cpus)
	p.started = time.Now()
}

func (p *probe) stop() {
	busy, err := host.Busy(p.sides.cpus)
	p.busy, p.busyErr = busy-p.busy, cmp.Or(p.busyErr, err)
	p.usage.stop()
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
	return list
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
	for _, w := range m.Warnings {
		if m.Sent > 1 && !errors.Is(w, loadgen.ErrFewCalls) { // no warning: the line has no p99 then
			list = append(list, w.Error())
		}
	}
	if m.Elapsed < enoughTime || p.err != nil {
		return list
	}
	list = append(list, p.contention(m)...)
	if m.Closed && p.sides.apart {
		list = append(list, p.bottleneck(m)...)
	}
	return list
}

// muchOthers is the share of the CPUs that other processes may take without a
// warning.
const muchOthers = .10

// contention warns if other processes used the CPUs of the two sides.
func (p *probe) contention(m measured) []string {
	used := m.CPU
	if !p.sides.remote {
		used += p.cpu
	}
	others := share(p.busy-used, m.Elapsed, len(p.sides.cpus))
	if p.busyErr != nil || others < muchOthers {
		return nil
	}
	return []string{fmt.Sprintf("other processes took %.0f %% of the CPUs", others*100)}
}

// bottleneck warns if the client limited a closed loop: its CPUs were busy and the
// server's were not.
func (p *probe) bottleneck(m measured) []string {
	client := share(m.CPU, m.Elapsed, p.sides.clientProcs)
	server := share(p.cpu, m.Elapsed, p.sides.serverProcs)
	if client < .95 || server >= .90 {
		return nil
	}
	return []string{fmt.Sprintf("the client was the bottleneck: it used %.0f %% of its CPUs, the server %.0f %%", client*100, server*100)}
}
