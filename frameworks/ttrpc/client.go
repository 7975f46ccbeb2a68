package ttrpc

import (
	"context"
	"fmt"

	"github.com/containerd/ttrpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.MessageClient = (*client[protobuf.BenchMessage, protobuf.BenchMessage])(nil)

// client shares its connections among all workers. A broken connection is not replaced,
// because ttrpc itself does not dial.
type client[Q, R any] struct {
	kind  protobuf.Messages[Q, R]
	conns []*ttrpc.Client
	most  int // bytes of a payload
}

func dial[Q, R any](addr string, s layer.Stack, k protobuf.Messages[Q, R], o framework.DialOptions) (framework.Client, error) {
	quiet()
	secured, layers := s.ClientTLS(o.Handshakes), clientLayers(s)
	opened, err := conns.Open(o.Conns, func() (*ttrpc.Client, error) {
		c, err := conns.DialTLS(secured, addr)
		if err != nil {
			return nil, err
		}
		return ttrpc.NewClient(c, layers...), nil
	}, (*ttrpc.Client).Close)
	if err != nil {
		return nil, err
	}
	return &client[Q, R]{k, opened, maxMessage(s)}, nil
}

// of returns the connection of a worker's next call.
func (c *client[Q, R]) of(worker int) *ttrpc.Client { return c.conns[worker%len(c.conns)] }

// fits returns an error if a payload is too large for a message.
func (c *client[Q, R]) fits(payload []byte) error {
	if n := len(payload); n > c.most {
		return fmt.Errorf("ttrpc: a payload of %d bytes is over the largest, %d", n, c.most)
	}
	return nil
}

// call is a call that ends with its context even while the request is being sent. ttrpc
// does not check the context while it waits to send, or for a server that no longer
// reads.
func (c *client[Q, R]) call(ctx context.Context, worker int, method string, req, reply any) error {
	conn := c.of(worker)
	if ctx.Done() == nil {
		return conn.Call(ctx, serviceName, method, req, reply)
	}
	done := make(chan error, 1)
	go func() { done <- conn.Call(ctx, serviceName, method, req, reply) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Echo implements framework.Client.
func (c *client[Q, R]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.kind.Echo(requests, check, func(ctx context.Context, worker int, req *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
		if err := c.fits(req.Msg); err != nil {
			return nil, err
		}
		reply := new(protobuf.EchoMessage)
		return reply, c.call(ctx, worker, methodEcho, req, reply)
	})
}

// Message implements framework.MessageClient.
func (c *client[Q, R]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.kind.Message(workers, check, func(ctx context.Context, worker int, req *Q) (*R, error) {
		reply := new(R)
		return reply, c.call(ctx, worker, methodMessage, req, reply)
	})
}

// CallUnknown implements framework.MethodClient.
func (c *client[Q, R]) CallUnknown(ctx context.Context) error {
	return c.call(ctx, 0, methodUnknown, new(protobuf.EchoMessage), new(protobuf.EchoMessage))
}

// Close implements framework.Client.
func (c *client[Q, R]) Close() error {
	return conns.Shut(c.conns, (*ttrpc.Client).Close)
}
