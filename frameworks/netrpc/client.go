package netrpc

import (
	"context"
	"net/rpc"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client[plain.EchoMessage, plain.BenchMessage])(nil)
	_ framework.AsyncClient   = (*client[plain.EchoMessage, plain.BenchMessage])(nil)
)

// patience is how long a request may take to be sent after its context ended.
const patience = 100 * time.Millisecond

// client shares its connections among all workers. A connection that broke
// stays so, as net/rpc does not dial again.
type client[E, B any] struct {
	kind   native.Kind[E, B]
	conns  []*rpc.Client
	closed chan struct{}
}

func dial[E, B any](addr string, k kind[E, B], o framework.DialOptions) (framework.Client, error) {
	opened, err := conns.Open(o.Conns, func() (*rpc.Client, error) {
		c, err := conns.Dial(addr)
		if err != nil {
			return nil, err
		}
		return k.client(c), nil
	}, (*rpc.Client).Close)
	if err != nil {
		return nil, err
	}
	return &client[E, B]{k.Kind, opened, make(chan struct{})}, nil
}

// Names of the methods.
const (
	methodEcho    = "Bencher.Echo"
	methodMessage = "Bencher.Message"
	methodUnknown = "Bencher.Unknown"
)

// Echo implements framework.Client.
func (c *client[E, B]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	callers := c.callers(len(requests))
	return c.kind.Echo(requests, check, func(ctx context.Context, worker int, req *E) (*E, error) {
		reply := new(E)
		return reply, callers[worker].call(ctx, methodEcho, req, reply)
	})
}

// Message implements framework.MessageClient.
func (c *client[E, B]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	callers := c.callers(workers)
	return c.kind.Message(workers, check, func(ctx context.Context, worker int, req *B) (*B, error) {
		reply := new(B)
		return reply, callers[worker].call(ctx, methodMessage, req, reply)
	})
}

// EchoAsync implements framework.AsyncClient. The replies of a connection come by
// one channel.
func (c *client[E, B]) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.AsyncCall {
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
func (c *client[E, B]) CallUnknown(ctx context.Context) error {
	return c.callers(1)[0].call(ctx, methodUnknown, new(E), new(E))
}

// Close implements framework.Client.
func (c *client[E, B]) Close() error {
	close(c.closed)
	return conns.Shut(c.conns, (*rpc.Client).Close)
}

// of is the connection of a worker's calls.
func (c *client[E, B]) of(worker int) *rpc.Client { return c.conns[worker%len(c.conns)] }

func (c *client[E, B]) callers(workers int) []*caller {
	callers := make([]*caller, workers)
	for worker := range callers {
		callers[worker] = &caller{conn: c.of(worker), done: newDone()}
	}
	return callers
}

// caller makes the calls of one worker.
type caller struct {
	conn *rpc.Client
	done chan *rpc.Call // empty between calls, if it is not shared

	sends   atomic.Uint64   // odd while a request is being sent
	watched <-chan struct{} // of the context that may end that
	unwatch func() bool
}

func newDone() chan *rpc.Call { return make(chan *rpc.Call, 1) }

// call is the call with a context that net/rpc lacks.
func (c *caller) call(ctx context.Context, method string, req, reply any) error {
	c.send(ctx, method, req, reply)
	select {
	case call := <-c.done:
		if call.Error != nil && ctx.Err() != nil {
			return ctx.Err() // rather than the closed connection that giveUp made of it
		}
		return call.Error
	case <-ctx.Done():
		c.done = newDone() // the reply may still come to the old one
		return ctx.Err()
	}
}

// send starts a call unless ctx has ended. net/rpc's Go returns when the
// request has been written, which takes for ever if the server reads no more.
// A deadline is for this call alone, so the request is then left behind in a
// goroutine. That is dear (a fifth of a small call), and a context without one
// ends a whole run: then the connection is given up.
func (c *caller) send(ctx context.Context, method string, req, reply any) {
	if _, ok := ctx.Deadline(); ok {
		go c.conn.Go(method, req, reply, c.done)
		return
	}
	c.watch(ctx)
	c.sends.Add(1)
	defer c.sends.Add(1)
	if ctx.Err() == nil {
		c.conn.Go(method, req, reply, c.done)
	}
}

// watch has giveUp called when ctx ends. It costs next to nothing for the
// context of the call before and for one that cannot end. Contexts are told
// apart by their channels, as they need not be comparable themselves.
func (c *caller) watch(ctx context.Context) {
	if ctx.Done() == c.watched {
		return
	}
	if c.unwatch != nil {
		c.unwatch()
	}
	c.watched, c.unwatch = ctx.Done(), nil
	if c.watched != nil {
		c.unwatch = context.AfterFunc(ctx, c.giveUp)
	}
}

// giveUp closes the connection if a request that is being sent makes no
// progress.
func (c *caller) giveUp() {
	n := c.sends.Load()
	if n%2 == 0 {
		return
	}
	time.Sleep(patience)
	if c.sends.Load() == n {
		c.conn.Close()
	}
}
