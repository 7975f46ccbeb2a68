package rig

import "github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"

// workload is Echo whose handler does some work.
func workload(m *menu) *plan.Benchmark {
	return &plan.Benchmark{
		Name: "Workload", Reach: plan.Proxied,
		Flags: m.workloads.register,
		Check: func([]plan.Target) error { return m.workloads.check() },
		Cases: func(o *plan.Options, t plan.Target) []plan.Leaf { return closed(o, m.work(o, t)...) },
	}
}
