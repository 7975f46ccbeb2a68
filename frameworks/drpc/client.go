package drpc

import (
	"cmp"
	"context"
	"errors"

	"storj.io/drpc"
	"storj.io/drpc/drpcconn"
	"storj.io/drpc/drpcpool"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client[protobuf.BenchMessage, protobuf.BenchMessage])(nil)
	_ framework.StreamClient  = (*client[protobuf.BenchMessage, protobuf.BenchMessage])(nil)
)

// client makes its calls on drpc's pooled connection, which borrows a connection from
// the pool for each call.
type client[Q, R any] struct {
	kind   protobuf.Messages[Q, R]
	pool   *drpcpool.Pool[string, conn]
	pooled drpc.Conn
	conns  conns.Set // all connections, even those the pool has dropped
}

func dial[Q, R any](addr string, layers layer.Stack, k protobuf.Messages[Q, R], o framework.DialOptions) (framework.Client, error) {
	c := &client[Q, R]{kind: k, pool: drpcpool.New[string, conn](drpcpool.Options{Capacity: o.Callers})}
	c.conns.TLS = layers.ClientTLS(o.Handshakes)
	c.pooled = c.pool.Get(context.Background(), addr, c.connect)
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(o.Patience, conns.DialTimeout))
	defer cancel()
	if err := c.invoke(ctx, methodEcho, &protobuf.EchoMessage{}, &protobuf.EchoMessage{}); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// connect opens a new connection for the pool.
func (c *client[Q, R]) connect(ctx context.Context, addr string) (conn, error) {
	tcp, err := c.conns.Dial(ctx, addr)
	if err != nil {
		return conn{}, err
	}
	return conn{drpcconn.NewWithOptions(tcp, drpcconn.Options{Manager: limits})}, nil
}

// conn is a connection that the pool does not lend again after a context has ended a
// call on it. drpc itself closes such a connection, but perhaps only after the pool has
// taken it back. The next call would then get the error.
type conn struct {
	*drpcconn.Conn
}

var _ drpcpool.Conn = conn{}

// Invoke implements drpc.Conn.
func (c conn) Invoke(ctx context.Context, method string, enc drpc.Encoding, in, out drpc.Message) error {
	err := c.Conn.Invoke(ctx, method, enc, in, out)
	if ctx.Err() != nil {
		c.Close()
	}
	return err
}

// NewStream implements drpc.Conn. The pool takes the connection back when the context of the
// stream is done.
func (c conn) NewStream(ctx context.Context, method string, enc drpc.Encoding) (drpc.Stream, error) {
	s, err := c.Conn.NewStream(ctx, method, enc)
	if err != nil {
		if ctx.Err() != nil {
			c.Close()
		}
		return nil, err
	}
	over, end := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		<-s.Context().Done()
		if ctx.Err() != nil { // else both sides have ended the stream
			c.Close()
		}
		end()
	}()
	return stream{s, over}, nil
}

// stream is a stream whose context is done once its connection is closed, if it has to be.
type stream struct {
	drpc.Stream
	over context.Context
}

// Context implements drpc.Stream.
func (s stream) Context() context.Context { return s.over }

func (c *client[Q, R]) invoke(ctx context.Context, method string, req, reply drpc.Message) error {
	return c.pooled.Invoke(ctx, method, encoding{}, req, reply)
}

// Echo implements framework.Client.
func (c *client[Q, R]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.kind.Echo(requests, check, func(ctx context.Context, _ int, req *protobuf.EchoMessage) (*protobuf.EchoMessage, error) {
		reply := new(protobuf.EchoMessage)
		return reply, c.invoke(ctx, methodEcho, req, reply)
	})
}

// Message implements framework.MessageClient.
func (c *client[Q, R]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.kind.Message(workers, check, func(ctx context.Context, _ int, req *Q) (*R, error) {
		reply := new(R)
		return reply, c.invoke(ctx, methodMessage, req, reply)
	})
}

// CallUnknown implements framework.MethodClient.
func (c *client[Q, R]) CallUnknown(ctx context.Context) error {
	return c.invoke(ctx, methodUnknown, &protobuf.EchoMessage{}, &protobuf.EchoMessage{})
}

// OpenStream implements framework.StreamClient. The stream borrows a connection from the
// pool, which gets it back if both sides have ended the stream. A stream that is given
// up is cancelled, and drpc then closes the connection.
func (c *client[Q, R]) OpenStream(ctx context.Context, _ int) (framework.EchoStream, error) {
	ctx, cancel := context.WithCancel(ctx)
	s, err := c.pooled.NewStream(ctx, methodStream, encoding{})
	if err != nil {
		cancel()
		return nil, err
	}
	giveUp := func() error {
		cancel()
		<-s.Context().Done() // the pool has taken the connection back
		return nil
	}
	m := messages{s}
	return c.kind.Stream(native.Stream[protobuf.EchoMessage]{Send: m.send, Recv: m.recv, CloseSend: s.CloseSend, Close: giveUp}), nil
}

// Close implements framework.Client. The pool closes only connections that are not
// borrowed.
func (c *client[Q, R]) Close() error {
	c.conns.Close()
	return c.pool.Close()
}
