package frozen

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/remote"

	"github.com/rpcbench/rpcbench/frameworks/kitex/frozen/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/loadgen"
)

// dialTimeout bounds each connect, and the first calls, as in today's adapter.
const dialTimeout = 10 * time.Second

var _ framework.MessageClient = (*client)(nil)

// client makes calls as a generated client of that time does.
type client struct{ kitex kitexclient.Client }

func dial(addr string, s setup, o framework.DialOptions) (framework.Client, error) {
	quiet()
	info := service()
	info.Methods[methodUnknown] = info.Methods[methodEcho]
	open := new(dialer)
	k, err := kitexclient.NewClient(info,
		s.client(o),
		kitexclient.WithDestService("Bencher"),
		kitexclient.WithHostPorts(addr),
		kitexclient.WithConnectTimeout(cmp.Or(s.dialLimit, dialTimeout)),
		kitexclient.WithRPCTimeout(s.callLimit),
		kitexclient.WithDialer(open),
		kitexclient.WithCloseCallbacks(open.Close))
	if err != nil {
		return nil, err
	}
	c := &client{k}
	if err := c.open(s.calls(o), cmp.Or(o.Patience, dialTimeout)); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// calls returns how many calls open all shared connections: twice the number of
// connections, to be sure.
func (s setup) calls(o framework.DialOptions) int {
	if s.sharing == framework.Mux {
		return 2 * o.Conns
	}
	return 1
}

// open makes calls one after the other. Kitex uses its shared connections in turn, and
// opens those that are missing.
func (c *client) open(calls int, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for range calls {
		if _, err := invoke(ctx, c.kitex, methodEcho, &pb.EchoMessage{Action: handler.ActionEcho}); err != nil {
			return err
		}
	}
	return nil
}

// Echo implements framework.Client.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	natives := framework.NewNatives(requests, newEcho)
	return func(ctx context.Context, worker int) error {
		reply, err := invoke(ctx, c.kitex, methodEcho, natives.Of(worker))
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
		reply, err := invoke(ctx, c.kitex, methodMessage, natives.Of(worker))
		if err != nil {
			return err
		}
		natives.Done(worker)
		return check(worker, reply.GetField1(), reply.GetField2(), reply)
	}
}

// CallUnknown implements framework.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	_, err := invoke(ctx, c.kitex, methodUnknown, new(pb.EchoMessage))
	return err
}

// unknown reports whether err is kitex's for a method that the server does not have.
func unknown(err error) bool {
	var e interface{ TypeID() int32 }
	return errors.As(err, &e) && e.TypeID() == remote.UnknownMethod
}

// Close implements framework.Client. Kitex's interface has no Close and leaves that to the
// garbage collector, but its implementation has one.
func (c *client) Close() error { return c.kitex.(io.Closer).Close() }

// invoke makes a call that ends with its context. Kitex waits for the reply even if the
// context has ended, but for its package rpctimeout, which has a goroutine for each call.
// Here only a call whose context can end has one, as in today's kitex.
func invoke[T any, P native[T]](ctx context.Context, c kitexclient.Client, method string, req P) (P, error) {
	if ctx.Done() == nil {
		return call(ctx, c, method, req)
	}
	type result struct {
		reply P
		err   error
	}
	done := make(chan result, 1)
	go func() {
		reply, err := call(ctx, c, method, req)
		done <- result{reply, err}
	}()
	select {
	case r := <-done:
		return r.reply, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func call[T any, P native[T]](ctx context.Context, c kitexclient.Client, method string, req P) (P, error) {
	reply := newBox[T, P](nil)
	if err := c.Call(ctx, method, newBox(req), reply); err != nil {
		return nil, err
	}
	return reply.message, nil
}
