package motan

import (
	"github.com/weibocom/motan-go/lb"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// balancing is a load balancer of motan-go's.
type balancing struct {
	name, about string
	motan       string // its name there
	keyed       bool   // calls carry the key of a user
}

// users is how many users have calls of their own key.
const users = 1000

// random is motan-go's default.
var random = balancing{name: "random", about: "motan-go's default, random", motan: lb.Random}

// policies are the load balancers of motan-go, but for wrr: servers have weights in a registry,
// and with a direct registry wrr is round robin.
func policies(s setup) (list []framework.Policy) {
	for _, b := range []balancing{
		random,
		{name: "roundrobin", about: "roundrobin", motan: lb.Roundrobin},
		{name: "consistenthash", about: "consistentHashKey by an attachment with one of 1,000 users in turn", motan: lb.ConsistentHashKey, keyed: true},
	} {
		list = append(list, framework.Policy{Name: b.name, About: b.about, DialAll: func(addrs []string, o framework.DialOptions) (framework.Client, error) {
			return dial(addrs, s, b, o)
		}})
	}
	return list
}
