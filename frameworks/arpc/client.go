package arpc

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"time"

	"github.com/lesismal/arpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client[protobuf.EchoMessage, protobuf.BenchMessage])(nil)
	_ framework.AsyncClient   = (*client[protobuf.EchoMessage, protobuf.BenchMessage])(nil)
	_ framework.StreamClient  = (*streamClient[protobuf.EchoMessage, protobuf.BenchMessage])(nil)
	_ framework.MethodClient  = (*rawClient)(nil)
)

// connections are shared by all workers. arpc itself reconnects, once a second; calls
// fail until that succeeds.
type connections struct {
	pool  *arpc.ClientPool
	round bool       // the pool chooses a connection for each call; otherwise each worker has one
	open  *conns.Set // also those that arpc opens after it was stopped, when it was about to reconnect
}

func dial(addrs []string, s setup, k kind, o framework.DialOptions) (framework.Client, error) {
	quiet()
	h := arpc.DefaultHandler.Clone()
	s.setUp(h)
	open := new(conns.Set)
	pool, err := arpc.NewClientPoolFromDialers(dialers(addrs, o.Conns, open, s.layers.ClientTLS(o)), h)
	if err != nil {
		open.Close()
		return nil, err
	}
	for i := range pool.Size() {
		pool.Get(i).Codec = k.codec
	}
	return k.client(&connections{pool, len(addrs) > 1, open}, s.carries(k)), nil
}

// dialers returns n dialers for each address.
func dialers(addrs []string, n int, open *conns.Set, config *tls.Config) (list []arpc.DialerFunc) {
	for range n {
		for _, addr := range addrs {
			list = append(list, dialIn(open, addr, config))
		}
	}
	return list
}

// dialIn returns a function that opens a connection in a set, and drops the one that it
// opened before: arpc dials again when it has lost that.
func dialIn(open *conns.Set, addr string, config *tls.Config) arpc.DialerFunc {
	var last net.Conn
	return func() (net.Conn, error) {
		if last != nil {
			open.Drop(last)
		}
		c, err := conns.DialTLS(config, addr)
		if err == nil && !open.Add(c) {
			return nil, net.ErrClosed
		}
		last = c
		return c, err
	}
}

// of returns the connection of a worker's next call.
func (c *connections) of(worker int) *arpc.Client {
	if c.round {
		return c.pool.Next()
	}
	return c.pool.Get(worker)
}

// call makes a call. If the context has ended the call, call adds the context's error,
// because arpc always reports a timeout.
func (c *connections) call(ctx context.Context, worker int, method string, req, reply any) error {
	err := c.of(worker).CallContext(ctx, method, req, reply)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("arpc: %w: %w", err, ctx.Err())
	}
	return err
}

// Close implements framework.Client.
func (c *connections) Close() error {
	c.pool.Stop()
	c.open.Close()
	return nil
}

// client makes calls with native messages.
type client[E, B any] struct {
	*connections
	kind native.Kind[E, B]
}

// Echo implements framework.Client.
func (c *client[E, B]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.kind.Echo(requests, check, func(ctx context.Context, worker int, req *E) (*E, error) {
		reply := new(E)
		return reply, c.call(ctx, worker, methodEcho, req, reply)
	})
}

// Message implements framework.MessageClient.
func (c *client[E, B]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.kind.Message(workers, check, func(ctx context.Context, worker int, req *B) (*B, error) {
		reply := new(B)
		return reply, c.call(ctx, worker, methodMessage, req, reply)
	})
}

// EchoAsync implements framework.AsyncClient. arpc calls back in the goroutine that
// reads the connection.
func (c *client[E, B]) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.AsyncCall {
	flights := c.kind.Flights(requests, check)
	return func(ctx context.Context, worker int, done func(error)) {
		req, reply := flights.Start(ctx, worker, done)
		err := c.of(worker).CallAsync(methodEcho, req, func(answer *arpc.Context, err error) {
			if err == nil {
				err = answer.Bind(reply)
			}
			flights.End(worker, reply, err)
		}, patience(ctx))
		if err != nil {
			flights.End(worker, reply, err)
		}
	}
}

// patience returns the timeout that arpc is given for a call. It is a little longer
// than ctx, which ends the call first.
func patience(ctx context.Context) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		return max(time.Until(end), 0) + time.Second
	}
	return arpc.TimeForever
}

// CallUnknown implements framework.MethodClient.
func (c *client[E, B]) CallUnknown(ctx context.Context) error {
	return c.call(ctx, 0, methodUnknown, new(E), new(E))
}

// rawClient makes calls with bytes.
type rawClient struct{ *connections }

// Echo implements framework.Client.
func (c *rawClient) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return native.RawEcho(requests, check, func(ctx context.Context, worker int, req *framework.EchoMessage) (reply []byte, err error) {
		err = c.call(ctx, worker, rawMethods.Of(req.Action), &req.Msg, &reply)
		return reply, err
	})
}

// CallUnknown implements framework.MethodClient.
func (c *rawClient) CallUnknown(ctx context.Context) error {
	return c.call(ctx, 0, methodUnknown, new([]byte), new([]byte))
}
