package grpc

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
)

// dialer makes clients.
type dialer struct {
	setup setup
	kind  kind
}

func (d dialer) dial(addr string, o framework.DialOptions) (framework.Client, error) {
	ready := func(c *grpc.ClientConn) error { return await(c, cmp.Or(o.Patience, conns.DialTimeout)) }
	options := clientLayers(d.setup.layers, o)
	return d.open(o, func() (*grpc.ClientConn, error) { return d.connect(targetOf(addr), ready, options...) })
}

// dialAll makes clients of several servers, which a load balancing policy of gRPC's balances.
// Each ClientConn opens a connection to each server.
func (d dialer) dialAll(addrs []string, policy balancing, o framework.DialOptions) (framework.Client, error) {
	var endpoints []resolver.Endpoint
	for _, addr := range addrs {
		endpoints = append(endpoints, resolver.Endpoint{Addresses: []resolver.Address{{Addr: targetOf(addr)}}})
	}
	options := slices.Concat(clientLayers(d.setup.layers, o), policy.options())
	return d.open(o, func() (*grpc.ClientConn, error) {
		r := manual.NewBuilderWithScheme("rpcbench")
		r.InitialState(resolver.State{Endpoints: endpoints})
		return d.connect(r.Scheme()+":///servers", func(c *grpc.ClientConn) error { return d.reach(c, len(addrs), cmp.Or(o.Patience, conns.DialTimeout)) },
			append(options, grpc.WithResolvers(r))...)
	})
}

// targetOf is how gRPC names an address. It reads a URL, in which a path may have to be
// escaped: it may have a % or a space, as may the directory for temporary files.
func targetOf(addr string) string {
	if address.Network(addr) == "unix" {
		return (&url.URL{Scheme: "unix", Path: addr}).String()
	}
	return addr
}

func (d dialer) open(o framework.DialOptions, connect func() (*grpc.ClientConn, error)) (framework.Client, error) {
	opened, err := conns.Open(o.Conns, connect, (*grpc.ClientConn).Close)
	if err != nil {
		return nil, err
	}
	return d.kind.client(opened), nil
}

// connect returns a ClientConn whose connection is open. gRPC would open it with the
// first call; ready opens it at once. Unlike other frameworks gRPC would also go through
// a proxy that the environment names.
func (d dialer) connect(target string, ready func(*grpc.ClientConn) error, options ...grpc.DialOption) (*grpc.ClientConn, error) {
	call := append([]grpc.CallOption{grpc.MaxCallRecvMsgSize(maxEncoded), grpc.MaxCallSendMsgSize(maxEncoded)}, d.kind.calls...)
	c, err := grpc.NewClient(target, slices.Concat(options, []grpc.DialOption{grpc.WithDefaultCallOptions(call...), grpc.WithNoProxy()}, d.setup.client)...)
	if err != nil {
		return nil, err
	}
	if err := ready(c); err != nil {
		c.Close()
		return nil, fmt.Errorf("grpc: no connection to %s: %w", target, err)
	}
	return c, nil
}

func await(c *grpc.ClientConn, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c.Connect()
	for s := c.GetState(); s != connectivity.Ready; s = c.GetState() {
		if s == connectivity.TransientFailure {
			return fmt.Errorf("it is in state %v", s)
		}
		if !c.WaitForStateChange(ctx, s) {
			return ctx.Err()
		}
	}
	return nil
}

// reach makes calls until each of the servers has answered one, because a ClientConn is
// ready as soon as it is connected to one of them.
func (d dialer) reach(c *grpc.ClientConn, servers int, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	reached := map[string]bool{}
	for len(reached) < servers {
		var from peer.Peer
		req, reply := d.kind.hello()
		if err := c.Invoke(ctx, methodEcho, req, reply, grpc.Peer(&from), grpc.WaitForReady(true)); err != nil {
			return fmt.Errorf("%d of %d servers: %w", len(reached), servers, err)
		}
		reached[from.Addr.String()] = true
	}
	return nil
}
