package frozen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/status"

	"github.com/rpcbench/rpcbench/frameworks/grpc/frozen/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/loadgen"
)

// dialTimeout bounds a connect, as in today's adapter.
const dialTimeout = 10 * time.Second

var _ framework.MessageClient = (*client)(nil)

// client shares its connections among all workers. Each connection has a ClientConn of
// its own, because a ClientConn opens only one connection to an address.
type client struct{ conns []*grpc.ClientConn }

func dial(addr string, o framework.DialOptions) (framework.Client, error) {
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

// connect returns a ClientConn whose connection is open. Dial, which NewClient has
// replaced since v1.63, begins to open it, and would go through a proxy that the
// environment names.
func connect(addr string, patience time.Duration) (*grpc.ClientConn, error) {
	c, err := grpc.Dial(addr, grpc.WithInsecure(), grpc.WithNoProxy(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxEncoded), grpc.MaxCallSendMsgSize(maxEncoded)))
	if err != nil {
		return nil, err
	}
	if err := await(c, patience); err != nil {
		c.Close()
		return nil, fmt.Errorf("grpc: no connection to %s: %w", addr, err)
	}
	return c, nil
}

func await(c *grpc.ClientConn, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
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

// of returns the connection of a worker's next call.
func (c *client) of(worker int) *grpc.ClientConn { return c.conns[worker%len(c.conns)] }

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

// unknown reports whether err is gRPC's for a method that the server does not have.
func unknown(err error) bool { return status.Code(err) == codes.Unimplemented }

// Close implements framework.Client.
func (c *client) Close() (err error) {
	for _, conn := range c.conns {
		err = errors.Join(err, conn.Close())
	}
	return err
}

// invoke makes a call as generated code of that time does.
func invoke[M any](ctx context.Context, c *grpc.ClientConn, method string, req *M) (*M, error) {
	reply := new(M)
	if err := c.Invoke(ctx, method, req, reply); err != nil {
		return nil, err
	}
	return reply, nil
}
