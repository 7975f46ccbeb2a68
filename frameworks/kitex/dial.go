package kitex

import (
	"cmp"
	"context"
	"errors"
	"net"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/discovery"
	"github.com/cloudwego/kitex/pkg/loadbalance"
	"github.com/cloudwego/kitex/pkg/remote"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// dialTimeout bounds each connect, and the first calls. Kitex's own limit of 50 ms for
// a connect is too short for a thousand at once on a busy machine.
const dialTimeout = 10 * time.Second

func dial(addrs []string, s setup, k kind, o framework.DialOptions, balance ...kitexclient.Option) (framework.Client, error) {
	quiet()
	c, err := k.connect(slices.Concat(s.client(o), s.tracked(), s.clientLayers(), s.carriers(), s.clientChain(), []kitexclient.Option{
		kitexclient.WithDestService("Bencher"),
		kitexclient.WithHostPorts(addrs...), // a resolver of balance replaces them
		kitexclient.WithConnectTimeout(dialTimeout),
	}, balance))
	if err != nil {
		return nil, err
	}
	if change, with := s.contexts(), s.carrying(); change != nil || with != nil {
		c.(interface {
			within(func(context.Context) context.Context, carry)
		}).within(change, with)
	}
	if err := open(c, s.calls(o)*len(addrs), cmp.Or(o.Patience, dialTimeout)); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	if s.streams {
		return c.(streamable).streaming(), nil
	}
	return c, nil
}

// tracked has the end of a client close the connections that kitex leaves open, those of
// calls that their contexts have ended. Short connections end with their calls.
func (s setup) tracked() []kitexclient.Option {
	if s.sharing == framework.Short {
		return nil
	}
	open := new(conns.Set)
	dialer := newDialer
	if s.dialer != nil {
		dialer = s.dialer
	}
	return []kitexclient.Option{
		kitexclient.WithDialer(remote.SynthesizedDialer{DialFunc: func(network, addr string, timeout time.Duration) (net.Conn, error) {
			return dialIn(open, dialer(), network, addr, timeout)
		}}),
		kitexclient.WithCloseCallbacks(func() error { open.Close(); return nil }),
	}
}

// calls returns how many calls open all shared connections: twice the number of
// connections, to be sure.
func (s setup) calls(o framework.DialOptions) int {
	if s.sharing == framework.Mux {
		return 2 * o.Conns
	}
	return 1
}

// open makes calls one after the other. Kitex uses the servers and its shared
// connections in turn, and opens those that are missing.
func open(c framework.Client, calls int, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	hello := []framework.EchoMessage{{Action: handler.ActionEcho}}
	call := c.Echo(hello, func(int, framework.EchoMessage) error { return nil })
	for range calls {
		if err := call(ctx, 0); err != nil {
			return err
		}
	}
	return nil
}

// policies are the load balancers of kitex. Its interleaved round robin and its random choice by
// the alias method have the same shares as those that are listed, and take less time to choose.
func policies(s setup, k kind) []framework.Policy {
	dialWith := func(balancer func() loadbalance.Loadbalancer) func([]string, framework.DialOptions) (framework.Client, error) {
		return func(addrs []string, o framework.DialOptions) (framework.Client, error) {
			return dial(addrs, s, k, o, kitexclient.WithLoadBalancer(balancer()), kitexclient.WithResolver(weighing(addrs, o.Weights)))
		}
	}
	return []framework.Policy{
		{Name: "roundrobin", About: "kitex's default, NewWeightedRoundRobinBalancer, with equal weights", DialAll: func(addrs []string, o framework.DialOptions) (framework.Client, error) {
			return dial(addrs, s, k, o)
		}},
		{Name: "random", About: "NewWeightedRandomBalancer with equal weights", DialAll: dialWith(loadbalance.NewWeightedRandomBalancer)},
		{Name: "weighted", About: "NewWeightedRoundRobinBalancer", DialAll: dialWith(loadbalance.NewWeightedRoundRobinBalancer)},
		{Name: "consistenthash", About: "NewConsistBalancer by one of 1,000 users in turn", DialAll: dialWith(byUser)},
	}
}

// users is how many users have calls of their own key.
const users = 1000

func byUser() loadbalance.Loadbalancer {
	var calls atomic.Uint64
	return loadbalance.NewConsistBalancer(loadbalance.NewConsistentHashOption(func(context.Context, any) string {
		return strconv.FormatUint(calls.Add(1)%users, 10)
	}))
}

// weighing returns a resolver of servers with these weights; nil for equal ones.
func weighing(addrs []string, weights []int) discovery.Resolver {
	result := discovery.Result{Cacheable: true, CacheKey: "servers"}
	for i, addr := range addrs {
		weight := discovery.DefaultWeight
		if weights != nil {
			weight = weights[i]
		}
		result.Instances = append(result.Instances, discovery.NewInstance(address.Network(addr), addr, weight, nil))
	}
	return discovery.SynthesizedResolver{
		ResolveFunc: func(context.Context, string) (discovery.Result, error) { return result, nil },
		NameFunc:    func() string { return "servers" },
	}
}
