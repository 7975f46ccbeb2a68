package rpcx

import (
	"context"
	"fmt"

	"github.com/smallnest/rpcx/client"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*caller[protobuf.EchoMessage, protobuf.BenchMessage])(nil)
	_ framework.AsyncClient   = (*caller[protobuf.EchoMessage, protobuf.BenchMessage])(nil)
	_ framework.MethodClient  = (*rawCaller)(nil)
)

// connections are shared by all workers. Each is an XClient of its own, as an
// XClient opens one connection to an address. An XClient is what rpcx's
// documentation starts with; over the plain Client it adds the selection of a
// server and a new dial when a connection broke.
type connections struct {
	list   []client.XClient
	pool   *client.XClientPool // deals out those of list; nil: each worker has its own
	closed chan struct{}
}

// dial opens a connection of each XClient to each address. A call fails at its
// first error, as it does with the other frameworks.
func dial(addrs []string, pooled bool, s side, o framework.DialOptions) (*connections, error) {
	prepare()
	option := client.DefaultOption
	option.SerializeType = s.serialize
	d, selection := discover(addrs)
	c := &connections{closed: make(chan struct{})}
	next := func() client.XClient {
		return client.NewXClient(servicePath, client.Failfast, selection, d, option)
	}
	if pooled {
		c.pool = client.NewXClientPool(o.Conns, servicePath, client.Failfast, selection, d, option)
		next = c.pool.Get // a first round gives each XClient once
	}
	var err error
	c.list, err = conns.Open(o.Conns, func() (client.XClient, error) { return open(next(), len(addrs), s) }, client.XClient.Close)
	return c, err
}

// discover is one address as rpcx's documentation starts with it, or several
// as rpcx-benchmark has them.
func discover(addrs []string) (client.ServiceDiscovery, client.SelectMode) {
	var servers []*client.KVPair
	for _, addr := range addrs {
		servers = append(servers, &client.KVPair{Key: "tcp@" + addr})
	}
	if len(servers) > 1 {
		d, _ := client.NewMultipleServersDiscovery(servers) // its error is always nil
		return d, client.RoundRobin
	}
	d, _ := client.NewPeer2PeerDiscovery(servers[0].Key, "") // its error is always nil
	return d, client.RandomSelect
}

// open makes a call to each server, since an XClient opens a connection with
// the first one, and goes round its servers.
func open(c client.XClient, servers int, s side) (client.XClient, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*client.DefaultOption.ConnectTimeout)
	defer cancel()
	for range servers {
		req, reply := s.hello()
		if err := c.Call(ctx, methodEcho, req, reply); err != nil {
			c.Close()
			return nil, fmt.Errorf("rpcx: no connection: %w", err)
		}
	}
	return c, nil
}

// of is the connection of a worker's next call.
func (c *connections) of(worker int) client.XClient {
	if c.pool != nil {
		return c.pool.Get()
	}
	return c.list[worker%len(c.list)]
}

// Close implements framework.Client. It leaves the pool its XClients, which are
// closed: without them its Get panics.
func (c *connections) Close() error {
	close(c.closed)
	return conns.Shut(c.list, client.XClient.Close)
}

// caller calls with native messages.
type caller[E, B any] struct {
	*connections
	messages native.Kind[E, B]
}

// Echo implements framework.Client.
func (c *caller[E, B]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.messages.Echo(requests, check, func(ctx context.Context, worker int, req *E) (*E, error) {
		reply := new(E)
		return reply, c.of(worker).Call(ctx, methodEcho, req, reply)
	})
}

// Message implements framework.MessageClient.
func (c *caller[E, B]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.messages.Message(workers, check, func(ctx context.Context, worker int, req *B) (*B, error) {
		reply := new(B)
		return reply, c.of(worker).Call(ctx, methodMessage, req, reply)
	})
}

// EchoAsync implements framework.AsyncClient. As many goroutines as there are
// connections wait for the replies.
func (c *caller[E, B]) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.AsyncCall {
	flights := c.messages.Flights(requests, check)
	landed := make([]chan *client.Call, len(c.list))
	for i := range landed {
		landed[i] = make(chan *client.Call, len(requests))
		go native.Land(flights, landed[i], result[E], c.closed)
	}
	return func(ctx context.Context, worker int, done func(error)) {
		req, reply := flights.Start(ctx, worker, done)
		_, err := c.of(worker).Go(ctx, methodEcho, req, reply, landed[worker%len(landed)])
		if err != nil {
			flights.End(worker, reply, err)
		}
	}
}

func result[E any](c *client.Call) native.Landed[E] {
	return native.Landed[E]{Request: c.Args.(*E), Reply: c.Reply.(*E), Err: c.Error}
}

// CallUnknown implements framework.MethodClient.
func (c *caller[E, B]) CallUnknown(ctx context.Context) error {
	return c.of(0).Call(ctx, methodUnknown, new(E), new(E))
}

// rawCaller calls with bytes.
type rawCaller struct{ *connections }

// Echo implements framework.Client.
func (c *rawCaller) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return native.RawEcho(requests, check, func(ctx context.Context, worker int, req *framework.EchoMessage) (reply []byte, err error) {
		err = c.of(worker).Call(ctx, rawMethods.Of(req.Action), &req.Msg, &reply)
		return reply, err
	})
}

// CallUnknown implements framework.MethodClient.
func (c *rawCaller) CallUnknown(ctx context.Context) error {
	return c.of(0).Call(ctx, methodUnknown, new([]byte), new([]byte))
}
