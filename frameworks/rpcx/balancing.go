package rpcx

import (
	rpcxclient "github.com/smallnest/rpcx/client"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// policies are rpcx's ways to select a server, but for WeightedICMP and Closest, which go by
// how far servers are. The first is that of rpcx-benchmark; rpcx has no default.
func policies(s setup, k kind) (list []framework.Policy) {
	for _, p := range []struct {
		name, about string
		selection   rpcxclient.SelectMode
	}{
		{"roundrobin", "RoundRobin", rpcxclient.RoundRobin},
		{"random", "RandomSelect", rpcxclient.RandomSelect},
		{"weighted", "WeightedRoundRobin, which is smooth", rpcxclient.WeightedRoundRobin},
		{"consistenthash", "ConsistentHash of service, method and arguments, of which each call has its own", rpcxclient.ConsistentHash},
	} {
		list = append(list, framework.Policy{Name: p.name, About: p.about, DialAll: func(addrs []string, o framework.DialOptions) (framework.Client, error) {
			return dial(addrs, s, k, p.selection, o)
		}})
	}
	return list
}
