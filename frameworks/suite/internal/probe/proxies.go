package probe

import (
	"cmp"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/proxy"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Proxies are the proxies of a case. Their CPU time is counted during a run.
type Proxies struct {
	List []*proxy.Proxy
	cpu  time.Duration
	err  error
}

func (p *Proxies) start() { p.cpu = -p.read() }

func (p *Proxies) stop() { p.cpu += p.read() }

func (p *Proxies) read() (sum time.Duration) {
	for _, one := range p.List {
		cpu, err := one.CPU()
		sum, p.err = sum+cpu, cmp.Or(p.err, err)
	}
	return sum
}

// metrics returns what the proxies cost.
func (p *Proxies) metrics(m load.Measured) []loadbench.Metric {
	if len(p.List) == 0 || p.err != nil || m.Sent == 0 {
		return nil
	}
	return []loadbench.Metric{
		{Value: float64(p.cpu) / float64(m.Sent), Unit: "net-cpu-ns/op"},
		{Value: 100 * share(p.cpu, m.Elapsed, 1), Unit: "net-busy-%"},
	}
}

// busy is the share of its CPU that a proxy used, on average.
func (p *Proxies) busy(m load.Measured) float64 {
	if len(p.List) == 0 || p.err != nil {
		return 0
	}
	return share(p.cpu, m.Elapsed, len(p.List))
}

// doubts says that it is not known what the proxies used.
func (p *Proxies) doubts() []string {
	if p.err == nil {
		return nil
	}
	return []string{fmt.Sprintf("the CPU time of the proxy could not be read: %v", p.err)}
}
