package probe

import (
	"runtime"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Heap is what this process allocates in a run. Package testing divides that by b.N,
// which is not the number of calls of a run of a fixed time.
type Heap struct {
	before, after runtime.MemStats
	read          bool
}

// During reads the heap before and after the run of cfg.
func (h *Heap) During(cfg *loadgen.Config) {
	started, stopped := cfg.OnStart, cfg.OnStop
	cfg.OnStart = func() {
		runtime.ReadMemStats(&h.before) // before started, since it stops the world
		started()
	}
	cfg.OnStop = func() {
		runtime.ReadMemStats(&h.after)
		h.read = true
		stopped()
	}
}

// Metrics returns what a call of the run allocated; nil without During.
func (h *Heap) Metrics(m load.Measured) []loadbench.Metric {
	if m.Result == nil || !h.read || m.Sent == 0 {
		return nil
	}
	return h.perCall(m.Sent, "")
}

func (h *Heap) perCall(calls int64, prefix string) []loadbench.Metric {
	return []loadbench.Metric{
		{Value: float64(h.after.TotalAlloc-h.before.TotalAlloc) / float64(calls), Unit: prefix + "B/op"},
		{Value: float64(h.after.Mallocs-h.before.Mallocs) / float64(calls), Unit: prefix + "allocs/op"},
	}
}
