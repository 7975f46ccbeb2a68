package connect

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"connectrpc.com/connect"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/web"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client[protobuf.BenchMessage, protobuf.BenchMessage])(nil)
	_ framework.StreamClient  = (*streamClient[protobuf.BenchMessage, protobuf.BenchMessage])(nil)
)

// echoClient is the client of one method.
type echoClient = connect.Client[protobuf.EchoMessage, protobuf.EchoMessage]

// client shares its stubs among all workers.
type client[Q, R any] struct {
	kind  protobuf.Messages[Q, R]
	stubs []*stub[Q, R]
	conns conns.Set                             // all connections of the stubs
	under func(context.Context) context.Context // gives calls a parent, if they are traced
}

// stub is an HTTP client with a client for each method, as in generated code.
type stub[Q, R any] struct {
	echo    *echoClient
	message *connect.Client[Q, R]
	unknown *echoClient
	stream  *echoClient
}

func dial[Q, R any](addr string, s setup, k kind, m protobuf.Messages[Q, R], o framework.DialOptions) (framework.Client, error) {
	c := &client[Q, R]{kind: m}
	options := slices.Concat(s.options, k.options, clientLayers(s.layers))
	c.under = under(s.layers)
	for range s.clients(o) {
		t, err := s.RoundTripper(addr, &c.conns, s.layers.ClientTLS(o.Handshakes), o, s.flow)
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		stub := newStub[Q, R](web.URL(addr, s.layers.TLS()), t, options)
		if err := s.Explain(stub.open(cmp.Or(o.Patience, conns.DialTimeout))); err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c.stubs = append(c.stubs, stub)
	}
	if s.streams {
		return &streamClient[Q, R]{c}, nil
	}
	return c, nil
}

func newStub[Q, R any](url string, t http.RoundTripper, options []connect.ClientOption) *stub[Q, R] {
	h := &http.Client{Transport: t}
	return &stub[Q, R]{
		echo:    connect.NewClient[protobuf.EchoMessage, protobuf.EchoMessage](h, url+methodEcho, options...),
		message: connect.NewClient[Q, R](h, url+methodMessage, options...),
		unknown: connect.NewClient[protobuf.EchoMessage, protobuf.EchoMessage](h, url+methodUnknown, options...),
		stream:  connect.NewClient[protobuf.EchoMessage, protobuf.EchoMessage](h, url+methodStream, options...),
	}
}

// open makes a call, so that net/http opens a connection.
func (s *stub[Q, R]) open(patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := call(ctx, s.echo, &protobuf.EchoMessage{Action: handler.ActionEcho})
	return err
}

// of returns the stub of a worker's next call.
func (c *client[Q, R]) of(worker int) *stub[Q, R] { return c.stubs[worker%len(c.stubs)] }

// Echo implements framework.Client.
func (c *client[Q, R]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.kind.Echo(requests, check, func(ctx context.Context, worker int, req *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
		return call(c.under(ctx), c.of(worker).echo, req)
	})
}

// Message implements framework.MessageClient.
func (c *client[Q, R]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.kind.Message(workers, check, func(ctx context.Context, worker int, req *Q) (*R, error) {
		return call(c.under(ctx), c.of(worker).message, req)
	})
}

// call makes a call with a new request around the message. Generated clients wrap each
// message in a new request too.
func call[Q, R any](ctx context.Context, c *connect.Client[Q, R], m *Q) (*R, error) {
	reply, err := c.CallUnary(ctx, connect.NewRequest(m))
	if err != nil {
		return nil, err
	}
	return reply.Msg, nil
}

// CallUnknown implements framework.MethodClient.
func (c *client[Q, R]) CallUnknown(ctx context.Context) error {
	_, err := call(ctx, c.of(0).unknown, new(protobuf.EchoMessage))
	return err
}

// unknown reports whether err is connect's for a method that the server does not have.
func unknown(err error) bool { return connect.CodeOf(err) == connect.CodeUnimplemented }

// Close implements framework.Client.
func (c *client[Q, R]) Close() error {
	c.conns.Close()
	return nil
}

// streamClient is a client over HTTP/2, where streams are bidirectional.
type streamClient[Q, R any] struct{ *client[Q, R] }

// OpenStream implements framework.StreamClient. It sends nil, because connect would
// otherwise send the request only with the first message.
func (c *streamClient[Q, R]) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	ctx, cancel := context.WithCancel(c.under(ctx))
	s := c.of(worker).stream.CallBidiStream(ctx)
	if err := s.Send(nil); err != nil {
		cancel()
		return nil, err
	}
	// net/http ends an answer with the context only when the request's body has ended, too.
	forget := context.AfterFunc(ctx, func() { s.CloseRequest() })
	giveUp := func() error {
		forget()
		cancel()
		s.CloseRequest()
		s.CloseResponse() // returns an error, since the stream was cancelled
		return nil
	}
	return c.kind.Stream(native.Stream[protobuf.EchoMessage]{Send: s.Send, Recv: s.Receive, CloseSend: s.CloseRequest, Close: giveUp}), nil
}
