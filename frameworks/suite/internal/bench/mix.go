package bench

import (
	"flag"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
)

// mix is an open loop of small calls and large ones on the same connections.
func mix(m *call.Menu) *plan.Benchmark {
	rates := plan.NewList("2000", value.Positive)
	return &plan.Benchmark{
		Name: "Mix", Lists: map[string]string{"rate": "mix-rate"},
		Flags: func(fs *flag.FlagSet) {
			fs.Var(&m.Mixes, "mix", "`sizes` and weights of small calls and of large ones of Mix, and of other benchmarks where -bench names mix=")
			fs.Var(&rates, "mix-rate", "`rates` of Mix in calls per second, small and large ones together")
		},
		Runs: func(o *plan.Options) error { return o.Untraced() },
		Cases: func(o *plan.Options, _ plan.Target) (list []plan.Leaf) {
			for _, c := range m.Mixed() {
				for _, r := range rates.Values {
					l := c.Driven(fmt.Sprintf("rate=%d", r), o.Workers)
					l.Schedule, l.Rate = o.Schedule(float64(r)), r
					l.Patience = call.TransferTime(call.ManyLarge * l.Largest)
					list = append(list, l)
				}
			}
			return list
		},
	}
}
