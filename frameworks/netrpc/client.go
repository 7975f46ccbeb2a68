package netrpc

import (
	"context"
	"net/rpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/internal/sending"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client[plain.EchoMessage, plain.BenchMessage, plain.BenchMessage])(nil)
	_ framework.AsyncClient   = (*client[plain.EchoMessage, plain.BenchMessage, plain.BenchMessage])(nil)
)

// client shares its connections among all workers. A broken connection is not replaced,
// because net/rpc does not reconnect.
type client[E, Q, R any] struct {
	kind   native.Kind[E, Q, R]
	conns  []*rpc.Client
	closed chan struct{}
}

func dial[E, Q, R any](addr string, k kind[E, Q, R], o framework.DialOptions) (framework.Client, error) {
	secured := k.layers.ClientTLS(o.Handshakes)
	opened, err := conns.Open(o.Conns, func() (*rpc.Client, error) {
		c, err := conns.DialTLS(secured, addr)
		if err != nil {
			return nil, err
		}
		return k.client(c), nil
	}, (*rpc.Client).Close)
	if err != nil {
		return nil, err
	}
	return &client[E, Q, R]{k.Kind, opened, make(chan struct{})}, nil
}

// Names of the methods.
const (
	methodEcho    = "Bencher.Echo"
	methodMessage = "Bencher.Message"
	methodUnknown = "Bencher.Unknown"
)

// Echo implements framework.Client.
func (c *client[E, Q, R]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	callers := c.callers(len(requests))
	return c.kind.Echo(requests, check, func(ctx context.Context, worker int, req *E) (*E, error) {
		reply := new(E)
		return reply, callers[worker].call(ctx, methodEcho, req, reply)
	})
}

// Message implements framework.MessageClient.
func (c *client[E, Q, R]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	callers := c.callers(workers)
	return c.kind.Message(workers, check, func(ctx context.Context, worker int, req *Q) (*R, error) {
		reply := new(R)
		return reply, callers[worker].call(ctx, methodMessage, req, reply)
	})
}

// EchoAsync implements framework.AsyncClient. All replies of a connection are sent to
// one channel.
func (c *client[E, Q, R]) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.AsyncCall {
	flights := c.kind.Flights(requests, check)
	callers := c.callers(len(requests))
	for i := range c.conns {
		landed := make(chan *rpc.Call, len(requests))
		for worker := i; worker < len(callers); worker += len(c.conns) {
			callers[worker].done = landed
		}
		go native.Land(flights, landed, result[E], c.closed)
	}
	return func(ctx context.Context, worker int, done func(error)) {
		req, reply := flights.Start(ctx, worker, done)
		callers[worker].send(ctx, methodEcho, req, reply)
	}
}

func result[E any](c *rpc.Call) native.Landed[E] {
	return native.Landed[E]{Request: c.Args.(*E), Reply: c.Reply.(*E), Err: c.Error}
}

// CallUnknown implements framework.MethodClient.
func (c *client[E, Q, R]) CallUnknown(ctx context.Context) error {
	return c.callers(1)[0].call(ctx, methodUnknown, new(E), new(E))
}

// Close implements framework.Client.
func (c *client[E, Q, R]) Close() error {
	close(c.closed)
	return conns.Shut(c.conns, (*rpc.Client).Close)
}

// of returns the connection of a worker's calls.
func (c *client[E, Q, R]) of(worker int) *rpc.Client { return c.conns[worker%len(c.conns)] }

func (c *client[E, Q, R]) callers(workers int) []*caller {
	callers := make([]*caller, workers)
	for worker := range callers {
		conn := c.of(worker)
		callers[worker] = &caller{conn: conn, done: newDone(), guard: sending.Guard{Close: func() { conn.Close() }}}
	}
	return callers
}

// caller makes the calls of one worker.
type caller struct {
	conn *rpc.Client
	done chan *rpc.Call // empty between calls unless it is shared

	guard sending.Guard
	watch sending.Watch
}

func newDone() chan *rpc.Call { return make(chan *rpc.Call, 1) }

// call is a call that ends with its context, which net/rpc's calls do not.
func (c *caller) call(ctx context.Context, method string, req, reply any) error {
	c.send(ctx, method, req, reply)
	select {
	case call := <-c.done:
		if call.Error != nil && ctx.Err() != nil {
			return ctx.Err() // the call's own error is that the guard has closed the connection
		}
		return call.Error
	case <-ctx.Done():
		c.done = newDone() // the reply may still be sent to the old channel
		return ctx.Err()
	}
}

// send starts a call unless ctx has ended. net/rpc's Go returns when the request has
// been written, which takes for ever if the server no longer reads. A context with a
// deadline belongs to this call only, so a goroutine sends the request and may be left
// behind. That adds a fifth to the cost of a small call. The end of a context without a
// deadline ends the whole run, so the connection is then closed.
func (c *caller) send(ctx context.Context, method string, req, reply any) {
	if _, ok := ctx.Deadline(); ok {
		go c.conn.Go(method, req, reply, c.done)
		return
	}
	c.watch.Over(ctx, &c.guard)
	c.guard.Begin()
	defer c.guard.End()
	if ctx.Err() == nil {
		c.conn.Go(method, req, reply, c.done)
	}
}
