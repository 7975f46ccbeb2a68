package rig

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// echo is a closed loop of callers that send a payload and get it back.
func echo() *plan.Benchmark {
	return &plan.Benchmark{Name: "Echo", Reach: plan.Proxied, Cases: func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
		for _, size := range o.Sizes.Values {
			list = append(list, closed(o, echoOf(t, size))...)
		}
		return list
	}}
}
