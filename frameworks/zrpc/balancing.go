package zrpc

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// balancing is how a client chooses the server of a call.
type balancing struct {
	name, about string
	zrpc        string // its name there
}

// p2c is zRPC's default.
var p2c = balancing{"p2c", "zRPC's default, p2c_ewma: of two that are drawn the one with less load, which is its latency times its calls in flight", "p2c_ewma"}

func policies(s setup) (list []framework.Policy) {
	for _, b := range []balancing{p2c, {"roundrobin", "gRPC's round_robin", "round_robin"}} {
		list = append(list, framework.Policy{Name: b.name, About: b.about, DialAll: func(addrs []string, o framework.DialOptions) (framework.Client, error) {
			return dial(addrs, s, b, o)
		}})
	}
	return list
}
