package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// usage reads what processes use during a run, in sum.
type usage struct {
	hosts   []server
	before  []host.Figures
	cpuThen []time.Duration

	figures host.Figures
	cpu     time.Duration
	err     error
}

// start reads the CPU time last, and stop first, so that the reading of the
// other figures is not in it.
func (u *usage) start() {
	u.before, u.cpuThen = make([]host.Figures, len(u.hosts)), make([]time.Duration, len(u.hosts))
	for i, h := range u.hosts {
		u.before[i] = u.read(h)
	}
	for i, h := range u.hosts {
		u.cpuThen[i] = u.readCPU(h)
	}
}

func (u *usage) stop() {
	for i, h := range u.hosts {
		u.cpu += u.readCPU(h) - u.cpuThen[i]
	}
	for i, h := range u.hosts {
		f := u.read(h).Since(u.before[i])
		u.figures.Allocs += f.Allocs
		u.figures.AllocBytes += f.AllocBytes
		u.figures.PeakRSS += f.PeakRSS
	}
}

func (u *usage) read(h server) host.Figures {
	f, err := h.Figures(context.Background())
	u.err = cmp.Or(u.err, err)
	return f
}

func (u *usage) readCPU(h server) time.Duration {
	cpu, err := h.CPU()
	u.err = cmp.Or(u.err, err)
	return cpu
}

// metrics are what the processes allocated for each call; none if that could
// not be read.
func (u *usage) metrics(calls int64, prefix string) []loadbench.Metric {
	if u.err != nil || calls == 0 {
		return nil
	}
	return []loadbench.Metric{
		{Value: float64(u.figures.AllocBytes) / float64(calls), Unit: prefix + "B/op"},
		{Value: float64(u.figures.Allocs) / float64(calls), Unit: prefix + "allocs/op"},
	}
}

// probe reads the servers' figures around a run.
type probe struct {
	servers  []server
	peaks    bool  // see leaf
	idle     int64 // resident bytes of this process before the case; 0: not known
	inFlight int64 // payload bytes of the calls that are under way at once
	usage
	started time.Time
	peakErr error         // of this process's own
	busy    time.Duration // of the CPUs of both sides, by any process
	busyErr error
	ownPeak int64 // bytes that this process had resident at most
}

func (p *probe) start() {
	p.usage = usage{hosts: p.servers}
	if p.peaks {
		p.peakErr, p.err = host.ResetOwnPeak(), p.servers[0].ResetPeak(context.Background())
	}
	p.usage.start()
	p.busy, p.busyErr = host.Busy(env.cpus())
	p.started = time.Now()
}

func (p *probe) stop() {
	busy, err := host.Busy(env.cpus())
	p.busy, p.busyErr = busy-p.busy, cmp.Or(p.busyErr, err)
	p.usage.stop()
	if p.peaks {
		p.ownPeak = host.OwnPeak()
	}
}

// metrics are the servers' share of a line, and how busy both sides were. What
// could not be read is left out, which doubts says.
func (p *probe) metrics(m measured) []loadbench.Metric {
	list := p.usage.metrics(m.Sent, "server-")
	if p.err == nil && m.Sent > 0 {
		list = append(list,
			loadbench.Metric{Value: float64(p.cpu) / float64(m.Sent), Unit: "server-cpu-ns/op"},
			loadbench.Metric{Value: 100 * share(p.cpu, m.Elapsed, env.serverProcs()), Unit: "server-busy-%"})
	}
	if p.peaks && p.peakErr == nil {
		list = append(list,
			loadbench.Metric{Value: float64(p.ownPeak), Unit: "client-peak-B"},
			loadbench.Metric{Value: float64(p.idle), Unit: "client-idle-B"})
	}
	if p.peaks && p.err == nil {
		list = append(list, loadbench.Metric{Value: float64(p.figures.PeakRSS), Unit: "server-peak-B"})
	}
	if m.CPU > 0 {
		list = append(list, loadbench.Metric{Value: 100 * share(m.CPU, m.Elapsed, env.clientProcs()), Unit: "client-busy-%"})
	}
	return list
}

// doubts says why not to trust a run.
func doubts(m measured, p *probe) string {
	var list []string
	if err := cmp.Or(p.err, p.peakErr); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		list = append(list, fmt.Sprintf("the server's figures could not be read: %v", p.err))
	}
	for _, w := range m.Warnings {
		if !errors.Is(w, loadgen.ErrFewCalls) { // the metric is left out
			list = append(list, w.Error())
		}
	}
	if m.Elapsed >= enoughTime && p.err == nil {
		list = append(list, p.contention(m)...)
	}
	if m.Closed && m.Elapsed >= enoughTime && p.err == nil && (env.pinning.Pinned() || env.machine != nil) {
		list = append(list, bottleneck(m, p)...)
	}
	return strings.Join(list, "; ")
}

// Memory is judged of large transfers: of small ones it is that of the runtime.
const (
	muchInFlight = 4 << 20
	fairCopies   = 4
)

// appetite says that the client had more copies of what is under way resident
// than the payload, the request, the reply and what is read of it take.
func (p *probe) appetite() string {
	copies := float64(p.ownPeak-p.idle) / float64(p.inFlight)
	if p.peakErr != nil || p.inFlight < muchInFlight || p.idle == 0 || copies <= fairCopies {
		return ""
	}
	return fmt.Sprintf("the client had %.1f × size × parallel resident beyond its idle memory, more than %d; garbage counts", copies, fairCopies)
}

// enoughTime is how long a run must be for shares of the CPU to mean something:
// the kernel counts in hundredths of a second.
const enoughTime = 200 * time.Millisecond

// muchOthers is the share of the CPUs that others may take.
const muchOthers = .10

// contention says that processes other than the two sides used their CPUs.
func (p *probe) contention(m measured) []string {
	sides := m.CPU
	if env.machine == nil {
		sides += p.cpu
	}
	others := share(p.busy-sides, m.Elapsed, len(env.cpus()))
	if p.busyErr != nil || others < muchOthers {
		return nil
	}
	return []string{fmt.Sprintf("other processes took %.0f %% of the CPUs", others*100)}
}

// bottleneck says that the client and not the server was what limited a closed
// loop: its CPUs were busy and the server's were not.
func bottleneck(m measured, p *probe) []string {
	client := share(m.CPU, m.Elapsed, env.clientProcs())
	server := share(p.cpu, m.Elapsed, env.serverProcs())
	if client < .95 || server >= .90 {
		return nil
	}
	return []string{fmt.Sprintf("the client was the bottleneck: it used %.0f %% of its CPUs, the server %.0f %%", client*100, server*100)}
}

// share is the part of so many procs' time that was used.
func share(cpu, elapsed time.Duration, procs int) float64 {
	return float64(cpu) / float64(elapsed) / float64(procs)
}
