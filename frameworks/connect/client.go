package connect

import (
	"context"
	"errors"
	"net/http"
	"time"

	"connectrpc.com/connect"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client)(nil)
	_ framework.StreamClient  = (*client)(nil)
)

// dialTimeout bounds the first call of each HTTP client.
const dialTimeout = 2 * time.Second

// Clients of one method.
type (
	echoClient    = connect.Client[protobuf.EchoMessage, protobuf.EchoMessage]
	messageClient = connect.Client[protobuf.BenchMessage, protobuf.BenchMessage]
)

// client shares its stubs among all workers.
type client struct {
	stubs []*stub
	open  conns.Set // all that were, until the client is closed
}

// stub is one HTTP client, and what generated code makes of it.
type stub struct {
	echo    *echoClient
	message *messageClient
	unknown *echoClient
	stream  *echoClient
}

func dial(addr string, o framework.DialOptions, c config) (framework.Client, error) {
	cl := new(client)
	for range c.clients(o) {
		s := newStub("http://"+addr, cl.transport(o, c), c)
		if err := s.call(); err != nil {
			return nil, errors.Join(err, cl.Close())
		}
		cl.stubs = append(cl.stubs, s)
	}
	return cl, nil
}

// transport is net/http's default one within the budget.
func (c *client) transport(o framework.DialOptions, cfg config) *http.Transport {
	t := c.open.Transport()
	cfg.limit(t, o)
	return t
}

func newStub(url string, t *http.Transport, c config) *stub {
	h := &http.Client{Transport: t}
	return &stub{
		echo:    connect.NewClient[protobuf.EchoMessage, protobuf.EchoMessage](h, url+echoPath, c.options...),
		message: connect.NewClient[protobuf.BenchMessage, protobuf.BenchMessage](h, url+messagePath, c.options...),
		unknown: connect.NewClient[protobuf.EchoMessage, protobuf.EchoMessage](h, url+unknownPath, c.options...),
		stream:  connect.NewClient[protobuf.EchoMessage, protobuf.EchoMessage](h, url+streamPath, c.options...),
	}
}

// call makes a call, with which net/http opens a connection.
func (s *stub) call() error {
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	_, err := s.echo.CallUnary(ctx, connect.NewRequest(&protobuf.EchoMessage{Action: framework.ActionEcho}))
	return err
}

// of is the stub of a worker.
func (c *client) of(worker int) *stub { return c.stubs[worker%len(c.stubs)] }

// Echo implements framework.Client. A connect.Request is for one call: generated
// clients wrap each message in a new one too.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	natives := make([]*protobuf.EchoMessage, len(requests))
	for i, r := range requests {
		natives[i] = &protobuf.EchoMessage{Action: r.Action, Msg: r.Msg}
	}
	return func(ctx context.Context, worker int) error {
		reply, err := c.of(worker).echo.CallUnary(ctx, connect.NewRequest(natives[worker]))
		if err != nil {
			return err
		}
		return check(worker, framework.EchoMessage{Action: reply.Msg.Action, Msg: reply.Msg.Msg})
	}
}

// Message implements framework.MessageClient.
func (c *client) Message(workers int, check framework.MessageCheck) loadgen.Call {
	natives := framework.Filled[protobuf.BenchMessage](workers)
	return func(ctx context.Context, worker int) error {
		reply, err := c.of(worker).message.CallUnary(ctx, connect.NewRequest(natives[worker]))
		if err != nil {
			return err
		}
		return check(worker, reply.Msg.GetField1(), reply.Msg.GetField2(), reply.Msg)
	}
}

// CallUnknown implements framework.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	_, err := c.stubs[0].unknown.CallUnary(ctx, connect.NewRequest(new(protobuf.EchoMessage)))
	return err
}

// OpenStream implements framework.StreamClient, over HTTP/2. The request leaves with
// the first message otherwise.
func (c *client) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := c.of(worker).stream.CallBidiStream(ctx)
	if err := s.Send(nil); err != nil {
		cancel()
		return nil, err
	}
	giveUp := func() error {
		cancel()
		s.CloseRequest()
		s.CloseResponse() // its error says that the stream was cancelled
		return nil
	}
	return protobuf.Kind.Stream(native.Stream[protobuf.EchoMessage]{Send: s.Send, Recv: s.Receive, CloseSend: s.CloseRequest, Close: giveUp}), nil
}

// Close implements framework.Client.
func (c *client) Close() error {
	c.open.Close()
	return nil
}
