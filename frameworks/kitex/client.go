package kitex

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/cloudwego/kitex/client"
	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/loadgen"
)

// dialTimeout bounds a connect and the first calls. Kitex's own limit of 50 ms
// a connect is too short for a thousand at once on a busy machine.
const dialTimeout = 10 * time.Second

// caller calls one server with the messages of one codec.
type caller[E echoMessage, B benchMessage] struct {
	codec   codec[E, B]
	options []client.Option
	client  client.Client
}

var _ suite.MessageClient = (*caller[echoMessage, benchMessage])(nil)

func dial[E echoMessage, B benchMessage](c codec[E, B], w wiring, addr string, o suite.DialOptions) (suite.Client, error) {
	quiet()
	options := []client.Option{
		client.WithDestService("Bencher"),
		client.WithHostPorts(addr),
		client.WithConnectTimeout(dialTimeout),
		w.client(o),
	}
	cl, err := client.NewClient(c.info(), options...)
	if err != nil {
		return nil, err
	}
	ca := &caller[E, B]{c, options, cl}
	if err := ca.open(w.calls(o)); err != nil {
		return nil, errors.Join(err, ca.Close())
	}
	return ca, nil
}

// open makes calls one after the other. Kitex goes round its shared
// connections and opens those that are missing.
func (c *caller[E, B]) open(calls int) error {
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	request := c.codec.newEcho(suite.EchoMessage{Action: suite.ActionEcho})
	for range calls {
		if _, err := c.codec.echo(ctx, c.client, request); err != nil {
			return err
		}
	}
	return nil
}

// Echo implements suite.Client.
func (c *caller[E, B]) Echo(requests []suite.EchoMessage, check suite.EchoCheck) loadgen.Call {
	native := make([]E, len(requests))
	for i, r := range requests {
		native[i] = c.codec.newEcho(r)
	}
	return func(ctx context.Context, worker int) error {
		reply, err := c.codec.echo(ctx, c.client, native[worker])
		if err != nil {
			return err
		}
		return check(worker, suite.EchoMessage{Action: reply.GetAction(), Msg: reply.GetMsg()})
	}
}

// Message implements suite.MessageClient.
func (c *caller[E, B]) Message(workers int, check suite.MessageCheck) loadgen.Call {
	native := make([]B, workers)
	for i := range native {
		native[i] = c.codec.newBench()
		suite.Fill(native[i])
	}
	return func(ctx context.Context, worker int) error {
		reply, err := c.codec.message(ctx, c.client, native[worker])
		if err != nil {
			return err
		}
		return check(worker, reply.GetField1(), reply.GetField2(), reply)
	}
}

// CallUnknown implements suite.MessageClient. It needs a client of its own:
// kitex does not send what the client's description of the service lacks.
func (c *caller[E, B]) CallUnknown(ctx context.Context) error {
	const unknown = "Unknown"
	info := c.codec.info()
	method := info.Methods["Echo"]
	info.Methods[unknown] = method
	cl, err := client.NewClient(info, c.options...)
	if err != nil {
		return err
	}
	defer closeClient(cl)
	return cl.Call(ctx, unknown, method.NewArgs(), method.NewResult())
}

// Close implements suite.Client.
func (c *caller[E, B]) Close() error { return closeClient(c.client) }

// closeClient closes a client now. Kitex's interface leaves that to the
// garbage collector, its implementation does not.
func closeClient(c client.Client) error {
	if c, ok := c.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
