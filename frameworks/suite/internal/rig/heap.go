package rig

import (
	"runtime"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// heap is what this process allocates in a run. Package testing divides that by b.N,
// which is not the number of calls of a closed loop here.
type heap struct{ before, after runtime.MemStats }

func (h *heap) during(cfg *loadgen.Config) {
	started, stopped := cfg.OnStart, cfg.OnStop
	cfg.OnStart = func() {
		runtime.ReadMemStats(&h.before) // before started, since it stops the world
		started()
	}
	cfg.OnStop = func() {
		runtime.ReadMemStats(&h.after)
		stopped()
	}
}

func (h *heap) metrics(m measured) []loadbench.Metric {
	if m.Result == nil || !m.Closed || m.Sent == 0 {
		return nil
	}
	return h.perCall(m.Sent, "")
}

func (h *heap) perCall(calls int64, prefix string) []loadbench.Metric {
	return []loadbench.Metric{
		{Value: float64(h.after.TotalAlloc-h.before.TotalAlloc) / float64(calls), Unit: prefix + "B/op"},
		{Value: float64(h.after.Mallocs-h.before.Mallocs) / float64(calls), Unit: prefix + "allocs/op"},
	}
}
