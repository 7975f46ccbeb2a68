package rig

import "github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"

// AllBenchmarks returns all benchmarks in the order of the output. Each call returns
// new ones, with flags of their own.
func AllBenchmarks(s *Settings) []*plan.Benchmark {
	m := newMenu(s.Servers.Work)
	capacity, load := searches(s, m)
	return []*plan.Benchmark{
		echo(), message(), rate(m), capacity, load, stall(m), conn(), workload(m), cluster(), stream(), bulk(s), count(), idle(s), dialing(s), mix(m),
	}
}
