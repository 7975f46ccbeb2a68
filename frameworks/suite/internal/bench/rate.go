package bench

import (
	"errors"
	"flag"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/bench/phase"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tide"
)

// rate is an open loop of calls at a given rate, or at one that moves. By default a second has
// the 10,000 calls that a p99 takes.
func rate(m *call.Menu) *plan.Benchmark {
	rates := plan.NewList("10000,20000", tide.Read)
	rates.Split = tide.Split
	return &plan.Benchmark{
		Name: "Rate",
		Flags: func(fs *flag.FlagSet) {
			m.Register(fs)
			fs.Var(&rates, "rate", "`rates` of Rate in calls per second; a rate that moves is one case: a ramp as in 1000..20000/30s, "+
				"steps of one length as in 1000,5000,1000@10s, or bursts as in 5000~10x100ms/1s, ten times the rate for 100 ms of each second, ten times or for as long as a third time says")
		},
		Runs: func(o *plan.Options) error {
			if o.Trace != nil && rates.Given() {
				return errors.New("-arrivals is a file, which has its own rate: leave -rate out")
			}
			return nil
		},
		Cases: func(o *plan.Options, t plan.Target) (list []plan.Leaf) {
			for _, c := range m.Calls(o, t, "Rate") {
				if o.Trace != nil {
					list = append(list, phase.Leaves(c, o, o.Trace)...)
					continue
				}
				for _, r := range rates.Values {
					list = append(list, atRate(c, o, r)...)
				}
			}
			return list
		},
	}
}

func atRate(c call.Called, o *plan.Options, r tide.Rate) []plan.Leaf {
	if r.Tide != nil {
		return phase.Leaves(c, o, r.Tide)
	}
	l := c.Driven(fmt.Sprintf("rate=%d", r.Steady), o.Workers)
	l.Schedule, l.Rate = o.Schedule(float64(r.Steady)), r.Steady*max(c.Each, 1)
	return []plan.Leaf{l}
}
