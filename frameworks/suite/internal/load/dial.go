package load

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// dialAll makes one client of all servers of a case.
func dialAll(c plan.Case, addrs []string, o framework.DialOptions) (framework.Client, error) {
	if len(addrs) == 1 {
		return c.Dial(addrs[0], o)
	}
	all := c.DialAll
	if c.Policy != "" {
		p, _ := plan.PolicyOf(c.Variant, c.Policy) // plan.NoPolicy is none
		all = p.DialAll
	}
	if all != nil {
		return all(addrs, o)
	}
	return dialEach(c.Variant, addrs, o, c.Cost.Rate > 0)
}

// dialInTime is dialAll for frameworks of which nobody knows whether Dial returns.
func dialInTime(c plan.Case, addrs []string, o framework.DialOptions) (framework.Client, error) {
	return limit.Get(limit.ToOpen(o.Patience, len(addrs)*(o.Conns+o.Callers)), func() (framework.Client, error) {
		return dialAll(c, addrs, o)
	}, func(late framework.Client) { late.Close() })
}

// clientPerServer holds a client for each server, for frameworks without load balancing.
type clientPerServer struct {
	list []framework.Client
	// drawn says that each call is made by one of them that is drawn, as by a user who has
	// one server. Otherwise each worker calls through one of them: in an open loop the
	// workers that are free are those of fast servers.
	drawn bool
}

func dialEach(v framework.Variant, addrs []string, o framework.DialOptions, drawn bool) (framework.Client, error) {
	d := clientPerServer{drawn: drawn}
	for _, addr := range addrs {
		c, err := v.Dial(addr, o)
		if err != nil {
			return nil, errors.Join(err, d.Close())
		}
		d.list = append(d.list, c)
	}
	return d, nil
}

// Echo implements Client.
func (d clientPerServer) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	calls := make([]loadgen.Call, len(d.list))
	for i, c := range d.list {
		calls[i] = c.Echo(requests, check)
	}
	if d.drawn {
		return func(ctx context.Context, worker int) error { return calls[rand.IntN(len(calls))](ctx, worker) }
	}
	return func(ctx context.Context, worker int) error { return calls[worker%len(calls)](ctx, worker) }
}

// Close implements Client.
func (d clientPerServer) Close() error {
	var errs []error
	for _, c := range d.list {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
