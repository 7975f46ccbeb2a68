package rpcx

import (
	"context"
	"fmt"

	rpcxclient "github.com/smallnest/rpcx/client"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client[protobuf.EchoMessage, protobuf.BenchMessage])(nil)
	_ framework.AsyncClient   = (*client[protobuf.EchoMessage, protobuf.BenchMessage])(nil)
	_ framework.MethodClient  = (*rawClient)(nil)
)

// connections are shared by all workers. Each is an XClient of its own, as an
// XClient opens one connection to an address. An XClient is what rpcx's
// documentation starts with; over the plain Client it adds the selection of a
// server and a new dial when a connection broke.
type connections struct {
	list   []rpcxclient.XClient
	pool   *rpcxclient.XClientPool // deals out those of list; nil: each worker has its own
	closed chan struct{}
}

// dial opens a connection of each XClient to each address. A call fails at its
// first error, as it does with the other frameworks.
func dial(addrs []string, s setup, k kind, o framework.DialOptions) (framework.Client, error) {
	prepare()
	option := rpcxclient.DefaultOption
	option.SerializeType = k.serialize
	d, selection := discover(addrs)
	c := &connections{closed: make(chan struct{})}
	next := func() rpcxclient.XClient {
		return rpcxclient.NewXClient(servicePath, rpcxclient.Failfast, selection, d, option)
	}
	if s.pooled {
		c.pool = rpcxclient.NewXClientPool(o.Conns, servicePath, rpcxclient.Failfast, selection, d, option)
		next = c.pool.Get // a first round gives each XClient once
	}
	var err error
	c.list, err = conns.Open(o.Conns, func() (rpcxclient.XClient, error) { return open(next(), len(addrs), k) }, rpcxclient.XClient.Close)
	if err != nil {
		return nil, err
	}
	return k.client(c), nil
}

// discover is one address as rpcx's documentation starts with it, or several
// as rpcx-benchmark has them.
func discover(addrs []string) (rpcxclient.ServiceDiscovery, rpcxclient.SelectMode) {
	var servers []*rpcxclient.KVPair
	for _, addr := range addrs {
		servers = append(servers, &rpcxclient.KVPair{Key: "tcp@" + addr})
	}
	if len(servers) > 1 {
		d, _ := rpcxclient.NewMultipleServersDiscovery(servers) // its error is always nil
		return d, rpcxclient.RoundRobin
	}
	d, _ := rpcxclient.NewPeer2PeerDiscovery(servers[0].Key, "") // its error is always nil
	return d, rpcxclient.RandomSelect
}

// open makes a call to each server, since an XClient opens a connection with
// the first one, and goes round its servers.
func open(c rpcxclient.XClient, servers int, k kind) (rpcxclient.XClient, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*rpcxclient.DefaultOption.ConnectTimeout)
	defer cancel()
	for range servers {
		req, reply := k.hello()
		if err := c.Call(ctx, methodEcho, req, reply); err != nil {
			c.Close()
			return nil, fmt.Errorf("rpcx: no connection: %w", err)
		}
	}
	return c, nil
}

// of is the connection of a worker's next call.
func (c *connections) of(worker int) rpcxclient.XClient {
	if c.pool != nil {
		return c.pool.Get()
	}
	return c.list[worker%len(c.list)]
}

// Close implements framework.Client. It leaves the pool its XClients, which are
// closed: without them its Get panics.
func (c *connections) Close() error {
	close(c.closed)
	return conns.Shut(c.list, rpcxclient.XClient.Close)
}

// client calls with native messages.
type client[E, B any] struct {
	*connections
	kind native.Kind[E, B]
}

// Echo implements framework.Client.
func (c *client[E, B]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.kind.Echo(requests, check, func(ctx context.Context, worker int, req *E) (*E, error) {
		reply := new(E)
		return reply, c.of(worker).Call(ctx, methodEcho, req, reply)
	})
}

// Message implements framework.MessageClient.
func (c *client[E, B]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.kind.Message(workers, check, func(ctx context.Context, worker int, req *B) (*B, error) {
		reply := new(B)
		return reply, c.of(worker).Call(ctx, methodMessage, req, reply)
	})
}

// EchoAsync implements framework.AsyncClient. As many goroutines as there are
// connections wait for the replies.
func (c *client[E, B]) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.AsyncCall {
	flights := c.kind.Flights(requests, check)
	landed := make([]chan *rpcxclient.Call, len(c.list))
	for i := range landed {
		landed[i] = make(chan *rpcxclient.Call, len(requests))
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

func result[E any](c *rpcxclient.Call) native.Landed[E] {
	return native.Landed[E]{Request: c.Args.(*E), Reply: c.Reply.(*E), Err: c.Error}
}

// CallUnknown implements framework.MethodClient.
func (c *client[E, B]) CallUnknown(ctx context.Context) error {
	return c.of(0).Call(ctx, methodUnknown, new(E), new(E))
}

// rawClient calls with bytes.
type rawClient struct{ *connections }

// Echo implements framework.Client.
func (c *rawClient) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return native.RawEcho(requests, check, func(ctx context.Context, worker int, req *framework.EchoMessage) (reply []byte, err error) {
		err = c.of(worker).Call(ctx, rawMethods.Of(req.Action), &req.Msg, &reply)
		return reply, err
	})
}

// CallUnknown implements framework.MethodClient.
func (c *rawClient) CallUnknown(ctx context.Context) error {
	return c.of(0).Call(ctx, methodUnknown, new([]byte), new([]byte))
}
