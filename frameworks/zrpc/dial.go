package zrpc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zeromicro/go-zero/zrpc"
	"go.opentelemetry.io/otel"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/peer"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/zrpc/internal/pb"
)

// dialTimeout bounds a connect.
const dialTimeout = 10 * time.Second

// dial makes a client of servers. Each of its connections is one to each server.
func dial(addrs []string, s setup, b balancing, o framework.DialOptions) (framework.Client, error) {
	quiet()
	otel.SetTracerProvider(s.tracers())
	c := new(client)
	for range o.Conns {
		if err := c.open(addrs, s, b, cmp.Or(o.Patience, dialTimeout)); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

// tracers is what a client's process has by go-zero's agent, which can be started only once and
// not stopped.
func (s setup) tracers() trace.TracerProvider {
	if !s.samples {
		return noop.NewTracerProvider()
	}
	return sdk.NewTracerProvider(sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(1))))
}

// open adds a connection. gRPC would go through a proxy that the environment names.
func (c *client) open(addrs []string, s setup, b balancing, patience time.Duration) error {
	config, err := s.ofClient(addrs, b)
	if err != nil {
		return err
	}
	z, err := zrpc.NewClient(config, zrpc.WithDialOption(grpc.WithNoProxy()),
		zrpc.WithDialOption(grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxEncoded), grpc.MaxCallSendMsgSize(maxEncoded))))
	if err != nil {
		return err
	}
	c.add(z)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err = await(ctx, z.Conn()); err == nil && len(addrs) > 1 {
		err = reach(ctx, z.Conn(), len(addrs))
	}
	if err != nil {
		return fmt.Errorf("zrpc: no connection to %v: %w", addrs, err)
	}
	return nil
}

// await returns when a connection is open. gRPC would open it with the first call.
func await(ctx context.Context, c *grpc.ClientConn) error {
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

// reach makes calls until each of the servers has answered one, because a ClientConn is ready
// as soon as it is connected to one of them.
func reach(ctx context.Context, c *grpc.ClientConn, servers int) error {
	reached := map[string]bool{}
	for len(reached) < servers {
		var from peer.Peer
		if _, err := pb.NewBencherClient(c).Echo(ctx, &pb.EchoMessage{Action: handler.ActionEcho}, grpc.Peer(&from), grpc.WaitForReady(true)); err != nil {
			return fmt.Errorf("%d of %d servers: %w", len(reached), servers, err)
		}
		reached[from.Addr.String()] = true
	}
	return nil
}
