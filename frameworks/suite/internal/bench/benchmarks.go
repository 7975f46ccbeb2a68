// Package bench has the benchmarks, each in a file or a package of its own: their flags,
// their cases, and how a case is measured where that is more than a run of calls.
package bench

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/bench/cluster"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/bench/dial"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/bench/search"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
)

// All returns all benchmarks in the order of the output. Each call returns
// new ones, with flags of their own.
func All(s *rig.Settings) []*plan.Benchmark {
	m := call.NewMenu(s.Servers.Work)
	capacity, load := search.Benchmarks(s, m)
	return []*plan.Benchmark{
		echo(), messages(), rate(m), capacity, load, stall(m), conn(), working(m), cluster.Benchmark(s, m), stream(m), bulk(s), count(s), idle(s), dial.Benchmark(s), mix(m),
	}
}
