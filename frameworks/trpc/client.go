package trpc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	trpcgo "trpc.group/trpc-go/trpc-go/client"
	"trpc.group/trpc-go/trpc-go/codec"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/trpc/internal/pb"
	"github.com/rpcbench/rpcbench/loadgen"
)

// dialTimeout bounds a connect.
const dialTimeout = 10 * time.Second

var _ framework.MessageClient = (*client)(nil)

// client makes the calls of all workers.
type client struct {
	options [][]trpcgo.Option // of the calls of workers, who take them in turn
	conns   *conns
}

func dial(addr string, s setup, o framework.DialOptions) (framework.Client, error) {
	quiet()
	patience := cmp.Or(o.Patience, dialTimeout)
	c := &client{conns: &conns{patience: patience}}
	for _, own := range c.conns.options(s, o) {
		c.options = append(c.options, append(own, target(addr)...))
	}
	if err := c.open(s, o.Conns, patience); err != nil {
		return nil, errors.Join(fmt.Errorf("trpc: no answer to a first call: %w", err), c.Close())
	}
	if s.streams {
		return &streamingClient{c, newStreams(addr, patience, o)}, nil
	}
	return c, nil
}

// target are the options of each call to a server.
func target(addr string) []trpcgo.Option {
	return []trpcgo.Option{
		trpcgo.WithTarget("ip://" + addr), trpcgo.WithNetwork("tcp"), trpcgo.WithProtocol("trpc"), trpcgo.WithServiceName(service),
	}
}

// open makes a first call on each shared connection. tRPC-Go takes them in turn.
func (c *client) open(s setup, conns int, patience time.Duration) error {
	if !s.mux {
		conns = 1
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for worker := range conns {
		if err := c.call(ctx, worker, methodEcho, &pb.EchoMessage{Action: handler.ActionEcho}, new(pb.EchoMessage)); err != nil {
			return err
		}
	}
	return nil
}

// call makes a call as generated code does.
func (c *client) call(ctx context.Context, worker int, method string, req, reply any) error {
	ctx, msg := codec.WithCloneMessage(ctx)
	defer codec.PutBackMessage(msg)
	prepare(msg, method)
	return trpcgo.DefaultClient.Invoke(ctx, req, reply, c.options[worker%len(c.options)]...)
}

// prepare says what is called.
func prepare(msg codec.Msg, method string) {
	msg.WithClientRPCName(method)
	msg.WithCalleeServiceName(service)
	msg.WithCalleeMethod(path.Base(method))
	msg.WithSerializationType(codec.SerializationTypePB)
}

// Echo implements framework.Client.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	natives := framework.NewNatives(requests, newEcho)
	return func(ctx context.Context, worker int) error {
		reply := new(pb.EchoMessage)
		if err := c.call(ctx, worker, methodEcho, natives.Of(worker), reply); err != nil {
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
		reply := new(pb.BenchMessage)
		if err := c.call(ctx, worker, methodMessage, natives.Of(worker), reply); err != nil {
			return err
		}
		natives.Done(worker)
		return check(worker, reply.GetField1(), reply.GetField2(), reply)
	}
}

// CallUnknown implements framework.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	return c.call(ctx, 0, methodUnknown, new(pb.EchoMessage), new(pb.EchoMessage))
}

// Close implements framework.Client.
func (c *client) Close() error {
	c.conns.close()
	return nil
}
