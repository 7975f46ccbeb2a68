package bench

import (
	"flag"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// rate is an open loop of calls at a given rate. By default a second has the
// 10,000 calls that a p99 takes.
func rate(m *call.Menu) *plan.Benchmark {
	rates := plan.NewList("10000,20000", plan.Positive)
	return &plan.Benchmark{
		Name: "Rate",
		Flags: func(fs *flag.FlagSet) {
			m.Register(fs)
			fs.Var(&rates, "rate", "`rates` of Rate in calls per second")
		},
		Cases: func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
			for _, c := range m.Calls(o, t, "Rate") {
				for _, r := range rates.Values {
					l := c.Driven(fmt.Sprintf("rate=%d", r), o.Workers)
					l.Schedule, l.Rate = o.Schedule(float64(r)), r
					list = append(list, l)
				}
			}
			return list
		},
	}
}
