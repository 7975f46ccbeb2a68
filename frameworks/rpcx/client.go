package rpcx

import (
	"context"
	"fmt"

	"github.com/smallnest/rpcx/client"
	"github.com/smallnest/rpcx/protocol"

	"github.com/rpcbench/rpcbench/codecs/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ suite.MessageClient = (*rpcxClient)(nil)

// rpcxClient shares its connections among all workers. Each is an XClient of
// its own, as an XClient opens one connection to an address. An XClient is
// what rpcx's documentation starts with; over the plain Client it adds the
// selection of a server and a new dial when a connection broke.
type rpcxClient struct {
	conns []client.XClient
}

func dial(addr string, o suite.DialOptions) (suite.Client, error) {
	quiet()
	opened, err := conns.Open(o.Conns, func() (client.XClient, error) { return connect(addr) }, client.XClient.Close)
	if err != nil {
		return nil, err
	}
	return &rpcxClient{opened}, nil
}

// connect returns a connection that is open: an XClient opens it with the
// first call, so it makes one. A call fails at its first error, as it does
// with the other frameworks.
func connect(addr string) (client.XClient, error) {
	d, err := client.NewPeer2PeerDiscovery("tcp@"+addr, "")
	if err != nil {
		return nil, err
	}
	option := client.DefaultOption
	option.SerializeType = protocol.ProtoBuffer
	c := client.NewXClient(servicePath, client.Failfast, client.RandomSelect, d, option)
	ctx, cancel := context.WithTimeout(context.Background(), 2*option.ConnectTimeout)
	defer cancel()
	if err := c.Call(ctx, "Echo", new(protobuf.EchoMessage), new(protobuf.EchoMessage)); err != nil {
		c.Close()
		return nil, fmt.Errorf("rpcx: no connection to %s: %w", addr, err)
	}
	return c, nil
}

// Echo implements suite.Client.
func (c *rpcxClient) Echo(requests []suite.EchoMessage, check suite.EchoCheck) loadgen.Call {
	natives := make([]*protobuf.EchoMessage, len(requests))
	for i, r := range requests {
		natives[i] = &protobuf.EchoMessage{Action: r.Action, Msg: r.Msg}
	}
	return func(ctx context.Context, worker int) error {
		reply := new(protobuf.EchoMessage)
		if err := c.conn(worker).Call(ctx, "Echo", natives[worker], reply); err != nil {
			return err
		}
		return check(worker, suite.EchoMessage{Action: reply.Action, Msg: reply.Msg})
	}
}

// Message implements suite.MessageClient.
func (c *rpcxClient) Message(workers int, check suite.MessageCheck) loadgen.Call {
	natives := suite.Filled[protobuf.BenchMessage](workers)
	return func(ctx context.Context, worker int) error {
		reply := new(protobuf.BenchMessage)
		if err := c.conn(worker).Call(ctx, "Message", natives[worker], reply); err != nil {
			return err
		}
		return check(worker, reply.GetField1(), reply.GetField2(), reply)
	}
}

// CallUnknown implements suite.MessageClient.
func (c *rpcxClient) CallUnknown(ctx context.Context) error {
	return c.conn(0).Call(ctx, "Unknown", new(protobuf.EchoMessage), new(protobuf.EchoMessage))
}

// Close implements suite.Client.
func (c *rpcxClient) Close() error {
	return conns.Shut(c.conns, client.XClient.Close)
}

func (c *rpcxClient) conn(worker int) client.XClient { return c.conns[worker%len(c.conns)] }
