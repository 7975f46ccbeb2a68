package rpcx

import (
	"cmp"
	"context"
	"fmt"
	"time"

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

// connections are shared by all workers. Each connection has an XClient of its own,
// because an XClient opens only one connection to an address. rpcx's documentation
// begins with the XClient. Unlike the plain Client it chooses a server, and replaces
// broken connections.
type connections struct {
	list   []rpcxclient.XClient
	pool   *rpcxclient.XClientPool // chooses one of list for each call; if nil, each worker has one
	closed chan struct{}
}

// dial opens a connection of each XClient to each address. Calls are not retried, as
// with the other frameworks.
func dial(addrs []string, s setup, k kind, o framework.DialOptions) (framework.Client, error) {
	prepare()
	option := rpcxclient.DefaultOption
	option.SerializeType = k.serialize
	option.ConnectTimeout = conns.DialTimeout // in rpcx's own second TCP does not send again what a network lost
	wrap(&option, s.layers, o)
	d, selection := discover(addrs)
	c := &connections{closed: make(chan struct{})}
	next := func() rpcxclient.XClient {
		return rpcxclient.NewXClient(servicePath, rpcxclient.Failfast, selection, d, option)
	}
	if s.pooled {
		c.pool = rpcxclient.NewXClientPool(o.Conns, servicePath, rpcxclient.Failfast, selection, d, option)
		next = c.pool.Get // its first calls return each XClient once
	}
	var err error
	c.list, err = conns.Open(o.Conns, func() (rpcxclient.XClient, error) {
		return open(next(), len(addrs), k, cmp.Or(o.Patience, conns.DialTimeout))
	}, rpcxclient.XClient.Close)
	if err != nil {
		return nil, err
	}
	return k.client(c), nil
}

// discover returns the discovery of a single address as in rpcx's documentation, or of
// several as in rpcx-benchmark.
func discover(addrs []string) (rpcxclient.ServiceDiscovery, rpcxclient.SelectMode) {
	var servers []*rpcxclient.KVPair
	for _, addr := range addrs {
		servers = append(servers, &rpcxclient.KVPair{Key: framework.NetworkOf(addr) + "@" + addr})
	}
	if len(servers) > 1 {
		d, _ := rpcxclient.NewMultipleServersDiscovery(servers) // its error is always nil
		return d, rpcxclient.RoundRobin
	}
	d, _ := rpcxclient.NewPeer2PeerDiscovery(servers[0].Key, "") // its error is always nil
	return d, rpcxclient.RandomSelect
}

// open makes a call to each server. An XClient calls its servers in turn, and opens a
// connection with the first call to a server.
func open(c rpcxclient.XClient, servers int, k kind, patience time.Duration) (rpcxclient.XClient, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
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

// of returns the connection of a worker's next call.
func (c *connections) of(worker int) rpcxclient.XClient {
	if c.pool != nil {
		return c.pool.Get()
	}
	return c.list[worker%len(c.list)]
}

// Close implements framework.Client. The closed XClients stay in the pool, since
// without them its Get panics.
func (c *connections) Close() error {
	close(c.closed)
	return conns.Shut(c.list, rpcxclient.XClient.Close)
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

// EchoAsync implements framework.AsyncClient. A goroutine for each connection waits for
// the replies.
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

// rawClient makes calls with bytes.
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
