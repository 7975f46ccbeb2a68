package bench

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// working is Echo whose handler does some work.
func working(m *call.Menu) *plan.Benchmark {
	return &plan.Benchmark{
		Name:  "Workload",
		Flags: m.Workloads.Register,
		Check: func([]plan.Target) error { return m.Workloads.Check() },
		Cases: func(o *plan.Options, t plan.Target) []plan.Leaf { return call.ClosedLoops(o, m.Work(o, t)...) },
	}
}
