package bench

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// echo is a closed loop of callers that send a payload and get it back.
func echo() *plan.Benchmark {
	return &plan.Benchmark{Name: "Echo", Cases: func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
		for _, size := range o.Sizes.Values {
			list = append(list, call.ClosedLoops(o, call.EchoOf(t, size))...)
		}
		return list
	}}
}
