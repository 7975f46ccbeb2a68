package rig

import "github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"

// benchmarks returns all benchmarks in the order of the output. Each call returns
// new ones, with flags of their own.
func benchmarks(s *Settings) []*plan.Benchmark {
	capacity, load := searches(s)
	return []*plan.Benchmark{
		echo(), message(), rate(), capacity, load, stall(), conn(), workload(s.workloads), cluster(), stream(), bulk(s), count(), idle(s),
	}
}
