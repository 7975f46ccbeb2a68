package rig

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

const workloadSize = 64 // payload in bytes

// workload is Echo whose handler does some work.
func workload(m *menu) *plan.Benchmark {
	return &plan.Benchmark{
		Name:  "Workload",
		Flags: m.workloads.register,
		Check: func([]plan.Target) error { return m.workloads.check() },
		Cases: func(o *plan.Options, t plan.Target) []plan.Leaf { return closed(o, m.work(t)...) },
	}
}

// prepareWork is prepareEcho with requests that ask for a workload.
func prepareWork(name string) func(context.Context, framework.Client, requestSpec) (job, error) {
	return func(ctx context.Context, c framework.Client, q requestSpec) (job, error) {
		q.action = framework.ActionWork(name)
		return prepareEcho(ctx, c, q)
	}
}
