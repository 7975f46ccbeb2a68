package frozen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	rpcxclient "github.com/smallnest/rpcx/client"
	"github.com/smallnest/rpcx/protocol"

	"github.com/rpcbench/rpcbench/frameworks/rpcx/frozen/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/loadgen"
)

// dialTimeout bounds a connect and the first call, as in today's adapter.
const dialTimeout = 10 * time.Second

var _ framework.MessageClient = (*client)(nil)

// client shares its connections among all workers. Each connection has an XClient of its
// own, because an XClient opens only one connection to an address.
type client struct{ conns []rpcxclient.XClient }

func dial(addr string, o framework.DialOptions) (framework.Client, error) {
	prepare()
	c := new(client)
	for range o.Conns {
		conn, err := connect(addr, cmp.Or(o.Patience, dialTimeout))
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c.conns = append(c.conns, conn)
	}
	return c, nil
}

// connect returns an XClient whose connection is open. Calls are not retried, as with the
// other frameworks.
func connect(addr string, patience time.Duration) (rpcxclient.XClient, error) {
	option := rpcxclient.DefaultOption
	option.SerializeType = protocol.ProtoBuffer
	option.ConnectTimeout = dialTimeout
	d, err := rpcxclient.NewPeer2PeerDiscovery("tcp@"+addr, "")
	if err != nil {
		return nil, err
	}
	c := rpcxclient.NewXClient(servicePath, rpcxclient.Failfast, rpcxclient.RandomSelect, d, option)
	c.GetPlugins().Add(guards{})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := invoke(ctx, c, methodEcho, new(pb.EchoMessage)); err != nil {
		c.Close()
		return nil, fmt.Errorf("rpcx: no connection: %w", err)
	}
	return c, nil
}

// of returns the connection of a worker's next call.
func (c *client) of(worker int) rpcxclient.XClient { return c.conns[worker%len(c.conns)] }

// Echo implements framework.Client.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	natives := framework.NewNatives(requests, newEcho)
	return func(ctx context.Context, worker int) error {
		reply, err := invoke(ctx, c.of(worker), methodEcho, natives.Of(worker))
		if err != nil {
			return err
		}
		return check(worker, framework.EchoMessage{Action: reply.GetAction(), Msg: reply.GetMsg()})
	}
}

func newEcho(m framework.EchoMessage) *pb.EchoMessage {
	return &pb.EchoMessage{Action: m.Action, Msg: m.Msg}
}

// Message implements framework.MessageClient.
func (c *client) Message(workers int, check framework.MessageCheck) loadgen.Call {
	natives := message.NewRequests[pb.BenchMessage](workers)
	return func(ctx context.Context, worker int) error {
		reply, err := invoke(ctx, c.of(worker), methodMessage, natives.Of(worker))
		if err != nil {
			return err
		}
		natives.Done(worker)
		return check(worker, reply.GetField1(), reply.GetField2(), reply)
	}
}

// CallUnknown implements framework.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	_, err := invoke(ctx, c.conns[0], methodUnknown, new(pb.EchoMessage))
	return err
}

// Close implements framework.Client.
func (c *client) Close() (err error) {
	for _, conn := range c.conns {
		err = errors.Join(err, conn.Close())
	}
	return err
}

// invoke makes a call whose reply is a message of the same type.
func invoke[M any](ctx context.Context, c rpcxclient.XClient, method string, req *M) (*M, error) {
	reply := new(M)
	if err := c.Call(ctx, method, req, reply); err != nil {
		return nil, err
	}
	return reply, nil
}
