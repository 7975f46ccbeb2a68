package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// probe reads the server's figures around a run.
type probe struct {
	server  *host.Host
	figures host.Figures
	cpu     time.Duration
	err     error
}

// start reads the CPU time last, and stop first, so that the reading of the
// other figures is not in it.
func (p *probe) start() {
	p.figures, p.err = p.server.Figures(context.Background())
	p.cpu, _ = p.server.CPU()
}

func (p *probe) stop() {
	cpu, err := p.server.CPU()
	p.cpu = cpu - p.cpu
	after, err2 := p.server.Figures(context.Background())
	if p.err == nil && err == nil && err2 == nil {
		p.figures = after.Since(p.figures)
		return
	}
	p.err = fmt.Errorf("the server's figures could not be read: %w", cmp.Or(p.err, err, err2))
}

// metrics are the server's share of a line; none if they could not be read,
// which doubts says.
func (p *probe) metrics(calls int64) []loadbench.Metric {
	if p.err != nil || calls == 0 {
		return nil
	}
	per := func(v float64, unit string) loadbench.Metric {
		return loadbench.Metric{Value: v / float64(calls), Unit: unit}
	}
	return []loadbench.Metric{
		per(float64(p.cpu), "server-cpu-ns/op"),
		per(float64(p.figures.AllocBytes), "server-B/op"),
		per(float64(p.figures.Allocs), "server-allocs/op"),
	}
}

// doubts says why not to trust a run.
func doubts(m loadbench.Measured, p *probe) string {
	var list []string
	if p.err != nil {
		list = append(list, p.err.Error())
	}
	for _, w := range m.Warnings {
		if !errors.Is(w, loadgen.ErrFewCalls) { // the metric is left out
			list = append(list, w.Error())
		}
	}
	if m.Closed && m.Elapsed >= 100*time.Millisecond && p.err == nil && env.pinning.Pinned() {
		list = append(list, bottleneck(m, p)...)
	}
	return strings.Join(list, "; ")
}

// bottleneck says that the client and not the server was what limited a closed
// loop: its CPUs were busy and the server's were not.
func bottleneck(m loadbench.Measured, p *probe) []string {
	client := share(m.CPU, m.Elapsed, runtime.GOMAXPROCS(0))
	server := share(p.cpu, m.Elapsed, env.serverProcs())
	if client < .95 || server >= .90 {
		return nil
	}
	return []string{fmt.Sprintf("the client was the bottleneck: it used %.0f %% of its CPUs, the server %.0f %%", client*100, server*100)}
}

func share(cpu, elapsed time.Duration, procs int) float64 {
	return float64(cpu) / float64(elapsed) / float64(procs)
}
