package connect

import (
	"context"
	"errors"
	"net/http"

	"connectrpc.com/connect"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/web"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client)(nil)
	_ framework.StreamClient  = (*client)(nil)
)

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
		if err := s.open(); err != nil {
			return nil, errors.Join(err, cl.Close())
		}
		cl.stubs = append(cl.stubs, s)
	}
	return cl, nil
}

// transport is net/http's default one within the budget.
func (c *client) transport(o framework.DialOptions, cfg config) *http.Transport {
	t := web.Transport(&c.open)
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

// open makes a call, with which net/http opens a connection.
func (s *stub) open() error {
	ctx, cancel := context.WithTimeout(context.Background(), conns.DialTimeout)
	defer cancel()
	_, err := call(ctx, s.echo, &protobuf.EchoMessage{Action: framework.ActionEcho})
	return err
}

// of is the stub of a worker.
func (c *client) of(worker int) *stub { return c.stubs[worker%len(c.stubs)] }

// Echo implements framework.Client.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return protobuf.Kind.Echo(requests, check, func(ctx context.Context, worker int, req *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
		return call(ctx, c.of(worker).echo, req)
	})
}

// Message implements framework.MessageClient.
func (c *client) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return protobuf.Kind.Message(workers, check, func(ctx context.Context, worker int, req *protobuf.BenchMessage) (*protobuf.BenchMessage, error) {
		return call(ctx, c.of(worker).message, req)
	})
}

// call makes a request for one call of a message: generated clients wrap each
// message in a new one too.
func call[M any](ctx context.Context, c *connect.Client[M, M], m *M) (*M, error) {
	reply, err := c.CallUnary(ctx, connect.NewRequest(m))
	if err != nil {
		return nil, err
	}
	return reply.Msg, nil
}

// CallUnknown implements framework.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	_, err := call(ctx, c.stubs[0].unknown, new(protobuf.EchoMessage))
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
