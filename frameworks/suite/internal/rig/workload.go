package rig

import (
	"context"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

const workloadSize = 64 // payload in bytes

// workload is Echo whose handler does some work.
func workload(w *workloads) *plan.Benchmark {
	return &plan.Benchmark{
		Name:  "Workload",
		Flags: w.register,
		Check: func([]plan.Target) error { return w.check() },
		Cases: func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
			if t.Kind != framework.Fields {
				return nil // their messages carry no action, so they cannot ask for work
			}
			for _, name := range w.chosen() {
				for _, conc := range o.Concs.Values {
					l := echoLeaf(conc, workloadSize)
					l.Keys = fmt.Sprintf("workload=%s/conc=%d", name, conc)
					l.Workload, l.prepare = name, prepareWork(name)
					list = append(list, l)
				}
			}
			return list
		},
	}
}

// prepareWork is prepareEcho with requests that ask for a workload.
func prepareWork(name string) func(context.Context, framework.Client, requestSpec) (job, error) {
	return func(ctx context.Context, c framework.Client, q requestSpec) (job, error) {
		q.action = framework.ActionWork(name)
		return prepareEcho(ctx, c, q)
	}
}
