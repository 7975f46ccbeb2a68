package grpc

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/rpcbench/rpcbench/codecs/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/grpc/internal/bencher"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ suite.MessageClient = (*client)(nil)

const dialTimeout = 2 * time.Second

// client shares its connections among all workers. Each is a ClientConn of its
// own, as a ClientConn opens one connection to an address.
type client struct {
	conns []*grpc.ClientConn
	stubs []bencher.BencherClient // of conns
}

func dial(addr string, o suite.DialOptions) (suite.Client, error) {
	opened, err := conns.Open(o.Conns, func() (*grpc.ClientConn, error) { return connect(addr) }, (*grpc.ClientConn).Close)
	if err != nil {
		return nil, err
	}
	c := &client{conns: opened}
	for _, conn := range opened {
		c.stubs = append(c.stubs, bencher.NewBencherClient(conn))
	}
	return c, nil
}

// connect returns a connection that is open, where gRPC by itself would open
// it with the first call.
func connect(addr string) (*grpc.ClientConn, error) {
	c, err := grpc.NewClient(addr,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxEncoded), grpc.MaxCallSendMsgSize(maxEncoded)))
	if err != nil {
		return nil, err
	}
	if err := await(c); err != nil {
		c.Close()
		return nil, fmt.Errorf("grpc: no connection to %s: %w", addr, err)
	}
	return c, nil
}

func await(c *grpc.ClientConn) error {
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
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

// Echo implements suite.Client.
func (c *client) Echo(requests []suite.EchoMessage, check suite.EchoCheck) loadgen.Call {
	natives := make([]*protobuf.EchoMessage, len(requests))
	for i, r := range requests {
		natives[i] = &protobuf.EchoMessage{Action: r.Action, Msg: r.Msg}
	}
	return func(ctx context.Context, worker int) error {
		reply, err := c.stubs[worker%len(c.stubs)].Echo(ctx, natives[worker])
		if err != nil {
			return err
		}
		return check(worker, suite.EchoMessage{Action: reply.Action, Msg: reply.Msg})
	}
}

// Message implements suite.MessageClient.
func (c *client) Message(workers int, check suite.MessageCheck) loadgen.Call {
	natives := suite.Filled[protobuf.BenchMessage](workers)
	return func(ctx context.Context, worker int) error {
		reply, err := c.stubs[worker%len(c.stubs)].Message(ctx, natives[worker])
		if err != nil {
			return err
		}
		return check(worker, reply.GetField1(), reply.GetField2(), reply)
	}
}

// CallUnknown implements suite.MessageClient.
func (c *client) CallUnknown(ctx context.Context) error {
	const method = "/rpcbench.Bencher/Unknown"
	return c.conns[0].Invoke(ctx, method, new(protobuf.EchoMessage), new(protobuf.EchoMessage))
}

// Close implements suite.Client.
func (c *client) Close() error {
	return conns.Shut(c.conns, (*grpc.ClientConn).Close)
}
