package probe

import (
	"cmp"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// ownProcess is a proxy that is a process of its own.
type ownProcess interface {
	CPU() (time.Duration, error)
	Err() error // why it ended; nil while it runs
}

// Proxies are the proxies of a case. Their CPU time is counted during a run.
type Proxies struct {
	list []ownProcess
	cpu  time.Duration
	err  error
}

// ProxiesOf returns those of the proxies that are processes of their own.
func ProxiesOf(proxies []framework.Server) (p Proxies) {
	for _, one := range proxies {
		if own, ok := one.(ownProcess); ok {
			p.list = append(p.list, own)
		}
	}
	return p
}

func (p *Proxies) start() { p.cpu = -p.read() }

func (p *Proxies) stop() { p.cpu += p.read() }

func (p *Proxies) read() (sum time.Duration) {
	for _, one := range p.list {
		cpu, err := one.CPU()
		sum, p.err = sum+cpu, cmp.Or(p.err, err)
	}
	return sum
}

// metrics returns what the proxies cost.
func (p *Proxies) metrics(m load.Measured) []loadbench.Metric {
	if len(p.list) == 0 || p.err != nil || m.Sent == 0 {
		return nil
	}
	return []loadbench.Metric{
		{Value: float64(p.cpu) / float64(m.Sent), Unit: "net-cpu-ns/op"},
		{Value: 100 * share(p.cpu, m.Elapsed, 1), Unit: "net-busy-%"},
	}
}

// doubts says that the proxies were what limited the run.
func (p *Proxies) doubts(m load.Measured) []string {
	busy := share(p.cpu, m.Elapsed, max(len(p.list), 1))
	switch {
	case p.err != nil:
		return []string{fmt.Sprintf("the CPU time of the proxy could not be read: %v", p.err)}
	case busy > saturated && m.Elapsed >= EnoughTime:
		return []string{fmt.Sprintf("the proxy was the bottleneck: it used %.0f %% of a CPU", 100*busy)}
	}
	return nil
}

// Dead says why one of them ended.
func (p *Proxies) Dead() (err error) {
	for _, one := range p.list {
		err = cmp.Or(err, one.Err())
	}
	return err
}
