package jrpc2

import (
	"context"
	"crypto/tls"
	"net"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/internal/sending"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.MessageClient = (*client)(nil)

// client shares its connections among all workers. A broken connection is not replaced,
// because jrpc2 itself does not dial.
type client struct{ conns []*conn }

func dial(addr string, s layer.Stack, o framework.DialOptions) (framework.Client, error) {
	secured := s.ClientTLS(o.Handshakes)
	opened, err := conns.Open(o.Conns, func() (*conn, error) { return open(addr, secured) }, (*conn).Close)
	if err != nil {
		return nil, err
	}
	return &client{opened}, nil
}

// Echo implements framework.Client.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	callers := c.callers(len(requests))
	return plain.Kind.Echo(requests, check, func(ctx context.Context, worker int, req *plain.EchoMessage) (*plain.EchoMessage, error) {
		return call(ctx, &callers[worker], methodEcho, req)
	})
}

// Message implements framework.MessageClient.
func (c *client) Message(workers int, check framework.MessageCheck) loadgen.Call {
	callers := c.callers(workers)
	return plain.Kind.Message(workers, check, func(ctx context.Context, worker int, req *plain.BenchMessage) (*plain.BenchMessage, error) {
		return call(ctx, &callers[worker], methodMessage, req)
	})
}

// CallUnknown implements framework.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	_, err := call(ctx, &c.callers(1)[0], methodUnknown, new(plain.EchoMessage))
	return err
}

// Close implements framework.Client.
func (c *client) Close() error { return conns.Shut(c.conns, (*conn).Close) }

func (c *client) callers(workers int) []caller {
	callers := make([]caller, workers)
	for worker := range callers {
		conn := c.conns[worker%len(c.conns)]
		callers[worker].conn, callers[worker].guard.Close = conn, func() { conn.raw.Close() }
	}
	return callers
}

// conn is a connection.
type conn struct {
	*jrpc2.Client
	raw net.Conn
}

func open(addr string, secured *tls.Config) (*conn, error) {
	c, err := conns.DialTLS(secured, addr)
	if err != nil {
		return nil, err
	}
	return &conn{jrpc2.NewClient(channel.Line(c, c), nil), c}, nil
}

// Close closes the connection before its client, whose Close waits for a request that is
// being sent.
func (c *conn) Close() error {
	c.raw.Close() // fails if jrpc2 or a guard has closed it
	return c.Client.Close()
}

// caller makes the calls of one worker.
type caller struct {
	conn  *conn
	guard sending.Guard
	watch sending.Watch
}

// call is a call that ends with its context, even while its request is being sent: jrpc2
// then holds a lock, for which the end of the context waits. A context with a deadline
// belongs to this call only, so a goroutine makes the call and may be left behind. The end
// of a context without a deadline ends the whole run, so the connection is then closed.
func call[M any](ctx context.Context, c *caller, method string, req *M) (*M, error) {
	if _, ok := ctx.Deadline(); ok {
		return sending.Leaving(ctx, func() (*M, error) { return result(ctx, c.conn.Client, method, req) })
	}
	c.watch.Over(ctx, &c.guard)
	c.guard.Begin()
	defer c.guard.End()
	if err := ctx.Err(); err != nil { // it may have ended before Begin, unseen by the guard
		return nil, err
	}
	return result(ctx, c.conn.Client, method, req)
}

func result[M any](ctx context.Context, c *jrpc2.Client, method string, req *M) (*M, error) {
	reply := new(M)
	return reply, c.CallResult(ctx, method, req, reply)
}
