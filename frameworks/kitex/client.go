package kitex

import (
	"context"
	"errors"
	"io"
	"time"

	kitexclient "github.com/cloudwego/kitex/client"
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
	c, err := k.connect(append(s.client(o),
		kitexclient.WithDestService("Bencher"),
		kitexclient.WithHostPorts(addrs...),
		kitexclient.WithConnectTimeout(dialTimeout)))
	if err != nil {
		return nil, err
	}
	if err := open(c, s.calls(o)*len(addrs)); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	if s.streams {
		return c.(streamable).streaming(), nil
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
func open(c framework.Client, calls int) error {
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
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
