// Package workloads has the work that servers do for the calls of BenchmarkWorkload,
// such as reading a file, computing or waiting. Package db below it has those that
// need modules of their own.
package workloads

import "github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"

// All lists the workloads, in the order of the output.
func All() []workload.Workload {
	return []workload.Workload{nop(), cache(), file(), sleep(), cpu(), heap(), write()}
}

func nop() workload.Workload {
	return workload.Workload{
		Name: "nop", About: "nothing",
		Start: func(string) (workload.Work, error) {
			return workload.Work{Do: func() error { return nil }}, nil
		},
	}
}
