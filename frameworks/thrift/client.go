package thrift

import (
	"cmp"
	"context"
	"errors"

	"github.com/apache/thrift/lib/go/thrift"

	"github.com/rpcbench/rpcbench/codecs/rpc/thrift/bench"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.MessageClient = (*client)(nil)

// client borrows a connection for each call.
type client struct {
	pool pool
}

func dial(addr string, s setup, o framework.DialOptions) (framework.Client, error) {
	c := &client{pool{addr: addr, setup: s, size: o.Callers, conns: conns.Set{TLS: s.layers.ClientTLS(o.Handshakes)}}}
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(o.Patience, conns.DialTimeout))
	defer cancel()
	err := c.do(ctx, func(conn *conn) error {
		_, err := conn.stub.Echo(ctx, new(bench.EchoMessage))
		return err
	})
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// do makes a call on a connection from the pool. It closes the connection when ctx
// ends, because Thrift checks contexts only between the parts of a call.
func (c *client) do(ctx context.Context, call func(*conn) error) error {
	conn, err := c.pool.take(ctx)
	if err != nil {
		return err
	}
	if ctx.Done() == nil {
		err = call(conn)
		c.pool.put(conn, reusable(err))
		return err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	err = call(conn)
	open := stop()
	c.pool.put(conn, open && reusable(err))
	if err != nil && !open {
		return ctx.Err()
	}
	return err
}

// reusable reports whether a connection can be used again after a call that returned
// err. That is so for errors of the server, which are whole messages.
func reusable(err error) bool {
	if err == nil {
		return true
	}
	var e thrift.TApplicationException
	return errors.As(err, &e) && (e.TypeId() == thrift.INTERNAL_ERROR || e.TypeId() == thrift.UNKNOWN_METHOD)
}

// unknown reports whether err is Thrift's for a method that the server does not have.
func unknown(err error) bool {
	var e thrift.TApplicationException
	return errors.As(err, &e) && e.TypeId() == thrift.UNKNOWN_METHOD
}

// Echo implements framework.Client.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return kind.Echo(requests, check, func(ctx context.Context, _ int, req *bench.EchoMessage) (reply *bench.EchoMessage, err error) {
		err = c.do(ctx, func(conn *conn) (err error) {
			reply, err = conn.stub.Echo(ctx, req)
			return err
		})
		return reply, err
	})
}

// Message implements framework.MessageClient.
func (c *client) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return kind.Message(workers, check, func(ctx context.Context, _ int, req *bench.BenchMessage) (reply *bench.BenchMessage, err error) {
		err = c.do(ctx, func(conn *conn) (err error) {
			reply, err = conn.stub.Message(ctx, req)
			return err
		})
		return reply, err
	})
}

// CallUnknown implements framework.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	return c.do(ctx, func(conn *conn) error {
		_, err := conn.stub.Client_().Call(ctx, "Unknown", new(bench.BencherEchoArgs), new(bench.BencherEchoResult))
		return err
	})
}

// Close implements framework.Client.
func (c *client) Close() error {
	c.pool.close()
	return nil
}
