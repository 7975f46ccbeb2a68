package kitex

import (
	"context"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/server"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// client makes calls with generated messages.
type client[E, Q, R any] struct {
	service[E, Q, R]
	conns kitexclient.Client
}

// Echo implements framework.Client.
func (c *client[E, Q, R]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.kind.Echo(requests, check, func(ctx context.Context, _ int, req *E) (*E, error) {
		return c.echo(ctx, c.conns, methodEcho, req)
	})
}

// Message implements framework.MessageClient.
func (c *client[E, Q, R]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.kind.Message(workers, check, func(ctx context.Context, _ int, req *Q) (*R, error) {
		return c.message(ctx, c.conns, req)
	})
}

// CallUnknown implements framework.MethodClient.
func (c *client[E, Q, R]) CallUnknown(ctx context.Context) error {
	_, err := c.echo(ctx, c.conns, methodUnknown, new(E))
	return err
}

// Close implements framework.Client.
func (c *client[E, Q, R]) Close() error { return closeClient(c.conns) }

// within has the client's calls get other contexts, and carry metadata.
func (c *client[E, Q, R]) within(context func(context.Context) context.Context, carry carry) {
	c.conns = within{c.conns, context, carry}
}

// with completes k with the fields that describe the service.
func (s service[E, Q, R]) with(k kind) kind {
	k.sent = s.kind.Sent
	k.register = func(svr server.Server) error {
		return svr.RegisterService(s.describe(), &methods[E, Q, R]{s.kind})
	}
	k.connect = func(options []kitexclient.Option) (framework.MessageClient, error) {
		info := s.describe()
		info.Methods[methodUnknown] = info.Methods[methodEcho]
		c, err := kitexclient.NewClient(info, options...)
		return &client[E, Q, R]{s, c}, err
	}
	return k
}
