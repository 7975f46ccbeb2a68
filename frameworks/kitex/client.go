package kitex

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/cloudwego/kitex/client"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// dialTimeout bounds a connect and the first calls. Kitex's own limit of 50 ms
// a connect is too short for a thousand at once on a busy machine.
const dialTimeout = 10 * time.Second

// stub makes the calls of one client, each ready but for what is measured: its
// request is built and is not yet encoded.
type stub interface {
	echo(method string, m framework.EchoMessage) func(context.Context) (framework.EchoMessage, error)
	message() func(context.Context) (benchReply, error)
	io.Closer
}

// benchReply is a decoded bench message.
type benchReply interface {
	GetField1() string
	GetField2() int32
}

// caller is a stub for all workers.
type caller struct{ stub }

var _ framework.MessageClient = caller{}

func dial(w wiring, c codec, addrs []string, o framework.DialOptions) (framework.Client, error) {
	quiet()
	s, err := c.connect(append(w.client(o),
		client.WithDestService("Bencher"),
		client.WithHostPorts(addrs...),
		client.WithConnectTimeout(dialTimeout)))
	if err != nil {
		return nil, err
	}
	ca := caller{s}
	if err := ca.open(w.calls(o) * len(addrs)); err != nil {
		return nil, errors.Join(err, ca.Close())
	}
	if w.streams {
		return newStreamCaller(ca), nil
	}
	return ca, nil
}

// calls is how many calls open all the shared connections to a server: one
// each, and once more around to be sure.
func (w wiring) calls(o framework.DialOptions) int {
	if w.sharing == framework.Mux {
		return 2 * o.Conns
	}
	return 1
}

// open makes calls one after the other. Kitex goes round the servers and its
// shared connections, and opens those that are missing.
func (c caller) open(calls int) error {
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	call := c.echo("Echo", framework.EchoMessage{Action: framework.ActionEcho})
	for range calls {
		if _, err := call(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Echo implements framework.Client.
func (c caller) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	calls := make([]func(context.Context) (framework.EchoMessage, error), len(requests))
	for i, r := range requests {
		calls[i] = c.echo("Echo", r)
	}
	return func(ctx context.Context, worker int) error {
		reply, err := calls[worker](ctx)
		if err != nil {
			return err
		}
		return check(worker, reply)
	}
}

// Message implements framework.MessageClient.
func (c caller) Message(workers int, check framework.MessageCheck) loadgen.Call {
	calls := make([]func(context.Context) (benchReply, error), workers)
	for i := range calls {
		calls[i] = c.message()
	}
	return func(ctx context.Context, worker int) error {
		reply, err := calls[worker](ctx)
		if err != nil {
			return err
		}
		return check(worker, reply.GetField1(), reply.GetField2(), reply)
	}
}

// CallUnknown implements framework.MessageClient.
func (c caller) CallUnknown(ctx context.Context) error {
	_, err := c.echo(unknown, framework.EchoMessage{})(ctx)
	return err
}

// unknown is the method that clients know and servers do not.
const unknown = "Unknown"

// closeClient closes a client now. Kitex's interface leaves that to the
// garbage collector, its implementation does not.
func closeClient(c client.Client) error {
	if c, ok := c.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
