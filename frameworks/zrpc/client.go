package zrpc

import (
	"context"
	"errors"

	"github.com/zeromicro/go-zero/zrpc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/zrpc/internal/pb"
	"github.com/rpcbench/rpcbench/loadgen"
)

const methodUnknown = "/rpcbench.Bencher/Unknown"

var (
	_ framework.MessageClient = (*client)(nil)
	_ framework.StreamClient  = (*client)(nil)
)

// client shares its connections among all workers. Each connection is a client of zRPC, which
// has one ClientConn.
type client struct {
	conns []*grpc.ClientConn
	stubs []pb.BencherClient // one for each of conns
}

func (c *client) add(z zrpc.Client) {
	c.conns, c.stubs = append(c.conns, z.Conn()), append(c.stubs, pb.NewBencherClient(z.Conn()))
}

// of returns the connection of a worker's next stream.
func (c *client) of(worker int) *grpc.ClientConn { return c.conns[worker%len(c.conns)] }

// Echo implements framework.Client.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	natives := framework.NewNatives(requests, newEcho)
	return func(ctx context.Context, worker int) error {
		reply, err := c.stubs[worker%len(c.stubs)].Echo(ctx, natives.Of(worker))
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
		reply, err := c.stubs[worker%len(c.stubs)].Message(ctx, natives.Of(worker))
		if err != nil {
			return err
		}
		natives.Done(worker)
		return check(worker, reply.GetField1(), reply.GetField2(), reply)
	}
}

// CallUnknown implements framework.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	return c.conns[0].Invoke(ctx, methodUnknown, new(pb.EchoMessage), new(pb.EchoMessage))
}

// unknown reports whether err is gRPC's for a method that the server does not have.
func unknown(err error) bool { return status.Code(err) == codes.Unimplemented }

// Close implements framework.Client.
func (c *client) Close() (err error) {
	for _, conn := range c.conns {
		err = errors.Join(err, conn.Close())
	}
	return err
}
