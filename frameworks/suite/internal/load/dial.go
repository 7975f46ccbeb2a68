package load

import (
	"context"
	"errors"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
	"github.com/rpcbench/rpcbench/loadgen"
)

// dialAll makes one client of all servers.
func dialAll(v framework.Variant, addrs []string, o framework.DialOptions) (framework.Client, error) {
	switch {
	case len(addrs) == 1:
		return v.Dial(addrs[0], o)
	case v.DialAll != nil:
		return v.DialAll(addrs, o)
	default:
		return dialEach(v, addrs, o)
	}
}

// dialInTime is dialAll for frameworks of which nobody knows whether Dial returns.
func dialInTime(v framework.Variant, addrs []string, o framework.DialOptions) (framework.Client, error) {
	return limit.Get(limit.ToOpen(o.Patience, len(addrs)*(o.Conns+o.Callers)), func() (framework.Client, error) {
		return dialAll(v, addrs, o)
	}, func(late framework.Client) { late.Close() })
}

// clientPerServer holds a client for each server, for frameworks without load
// balancing. Each worker calls through one of them.
type clientPerServer []framework.Client

func dialEach(v framework.Variant, addrs []string, o framework.DialOptions) (framework.Client, error) {
	var d clientPerServer
	for _, addr := range addrs {
		c, err := v.Dial(addr, o)
		if err != nil {
			return nil, errors.Join(err, d.Close())
		}
		d = append(d, c)
	}
	return d, nil
}

// Echo implements Client.
func (d clientPerServer) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	calls := make([]loadgen.Call, len(d))
	for i, c := range d {
		calls[i] = c.Echo(requests, check)
	}
	return func(ctx context.Context, worker int) error { return calls[worker%len(calls)](ctx, worker) }
}

// Close implements Client.
func (d clientPerServer) Close() error {
	var errs []error
	for _, c := range d {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
