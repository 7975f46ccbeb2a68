package bench

import (
	"flag"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// cluster is Echo by one client of several equal servers.
func cluster() *plan.Benchmark {
	counts := plan.NewList("2", plan.Positive)
	return &plan.Benchmark{
		Name: "Cluster", OwnServers: "it starts several servers", Runs: (*plan.Options).OnlyEqualSizes,
		Flags: func(fs *flag.FlagSet) {
			fs.Var(&counts, "servers", "`numbers` of servers of Cluster")
		},
		Cases: func(o *plan.Options, _ plan.Target) (list []plan.Leaf) {
			for _, servers := range counts.Values {
				for _, conc := range o.Concs.Values {
					l := call.EchoLeaf(conc, o.EqualSizes()[0])
					l.Keys = fmt.Sprintf("servers=%d/conc=%d", servers, conc)
					l.Servers = servers
					list = append(list, l)
				}
			}
			return list
		},
	}
}
