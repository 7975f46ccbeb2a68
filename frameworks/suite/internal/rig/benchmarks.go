package rig

import "github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"

// benchmarks are all there are, in the order of the output, with flags of their
// own each time.
func benchmarks(s *Settings) []*plan.Benchmark {
	capacity, load := searches(s)
	return []*plan.Benchmark{
		echo(), message(), rate(), capacity, load, stall(), conn(), workload(s.workloads), cluster(), stream(), bulk(s),
	}
}
