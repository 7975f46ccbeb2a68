package kitex

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"time"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/remote"
	"github.com/cloudwego/kitex/pkg/remote/trans/nphttp2/codes"
	"github.com/cloudwego/kitex/pkg/remote/trans/nphttp2/status"
	"github.com/cloudwego/netpoll"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// dialTimeout bounds each connect, and the first calls. Kitex's own limit of 50 ms for
// a connect is too short for a thousand at once on a busy machine.
const dialTimeout = 10 * time.Second

// Names of the methods. Clients know the unknown one, and servers do not.
const (
	methodEcho    = "Echo"
	methodMessage = "Message"
	methodUnknown = "Unknown"
)

func dial(addrs []string, s setup, k kind, o framework.DialOptions) (framework.Client, error) {
	quiet()
	c, err := k.connect(append(slices.Concat(s.client(o), s.tracked(), s.clientLayers()),
		kitexclient.WithDestService("Bencher"),
		kitexclient.WithHostPorts(addrs...),
		kitexclient.WithConnectTimeout(dialTimeout)))
	if err != nil {
		return nil, err
	}
	if change := s.contexts(); change != nil {
		c.(interface {
			within(func(context.Context) context.Context)
		}).within(change)
	}
	if err := open(c, s.calls(o)*len(addrs), cmp.Or(o.Patience, dialTimeout)); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	if s.streams {
		return c.(streamable).streaming(), nil
	}
	return c, nil
}

// tracked has the end of a client close the connections that kitex leaves open, those of
// calls that their contexts have ended. Short connections end with their calls.
func (s setup) tracked() []kitexclient.Option {
	if s.sharing == framework.Short {
		return nil
	}
	open := new(conns.Set)
	dialer := newDialer
	if s.dialer != nil {
		dialer = s.dialer
	}
	return []kitexclient.Option{
		kitexclient.WithDialer(remote.SynthesizedDialer{DialFunc: func(network, addr string, timeout time.Duration) (net.Conn, error) {
			return dialIn(open, dialer(), network, addr, timeout)
		}}),
		kitexclient.WithCloseCallbacks(func() error { open.Close(); return nil }),
	}
}

// dialIn opens a connection in a set, which it leaves when it is closed.
func dialIn(open *conns.Set, dialer remote.Dialer, network, addr string, timeout time.Duration) (net.Conn, error) {
	c, err := dialer.DialTimeout(network, addr, timeout)
	if err != nil {
		return nil, err
	}
	if !open.Add(c) {
		return nil, net.ErrClosed
	}
	switch c := c.(type) {
	case netpoll.Connection:
		c.AddCloseCallback(func(netpoll.Connection) error { open.Forget(c); return nil })
	case gonetConn:
		return &forgetting{c, func() { open.Forget(c) }}, nil
	}
	return c, nil
}

// calls returns how many calls open all shared connections: twice the number of
// connections, to be sure.
func (s setup) calls(o framework.DialOptions) int {
	if s.sharing == framework.Mux {
		return 2 * o.Conns
	}
	return 1
}

// open makes calls one after the other. Kitex uses the servers and its shared
// connections in turn, and opens those that are missing.
func open(c framework.Client, calls int, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	hello := []framework.EchoMessage{{Action: framework.ActionEcho}}
	call := c.Echo(hello, func(int, framework.EchoMessage) error { return nil })
	for range calls {
		if err := call(ctx, 0); err != nil {
			return err
		}
	}
	return nil
}

// client makes calls with generated messages.
type client[E, B any] struct {
	service[E, B]
	conns kitexclient.Client
}

// Echo implements framework.Client.
func (c *client[E, B]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.kind.Echo(requests, check, func(ctx context.Context, _ int, req *E) (*E, error) {
		return c.echo(ctx, c.conns, methodEcho, req)
	})
}

// Message implements framework.MessageClient.
func (c *client[E, B]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.kind.Message(workers, check, func(ctx context.Context, _ int, req *B) (*B, error) {
		return c.message(ctx, c.conns, req)
	})
}

// CallUnknown implements framework.MethodClient.
func (c *client[E, B]) CallUnknown(ctx context.Context) error {
	_, err := c.echo(ctx, c.conns, methodUnknown, new(E))
	return err
}

// unknown reports whether err is kitex's for a method or a service that the server does
// not have, over its own protocols or over gRPC. Kitex's own servers answer over gRPC with
// another code than gRPC has for this, so their text counts as well.
func unknown(err error) bool {
	var e *remote.TransError
	if errors.As(err, &e) {
		return e.TypeID() == remote.UnknownMethod || e.TypeID() == remote.UnknownService
	}
	return status.Code(err) == codes.Unimplemented || framework.Says("unknown method ", "unknown service ")(err)
}

// Close implements framework.Client.
func (c *client[E, B]) Close() error { return closeClient(c.conns) }

// closeClient closes a client now. Kitex's interface has no Close and leaves that to
// the garbage collector, but its implementation has one.
func closeClient(c kitexclient.Client) error {
	if c, ok := c.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
