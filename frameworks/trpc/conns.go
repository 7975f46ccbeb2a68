package trpc

import (
	"errors"
	"net"
	"sync"
	"time"

	trpcgo "trpc.group/trpc-go/trpc-go/client"
	"trpc.group/trpc-go/trpc-go/pool/connpool"
	"trpc.group/trpc-go/trpc-go/pool/multiplexed"
	"trpc.group/trpc-go/trpc-go/transport"
	"trpc.group/trpc-go/trpc-go/transport/tnet"
	"trpc.group/trpc-go/trpc-go/transport/tnet/multiplex"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// conns are the connections of a client, which tRPC-Go's pools do not close.
type conns struct {
	patience time.Duration
	mu       sync.Mutex
	open     []net.Conn
	closed   bool
}

var errClosed = errors.New("trpc: the client was closed")

// options lists those of the calls of a client: one for all callers, or one for each connection.
func (c *conns) options(s setup, o framework.DialOptions) (list [][]trpcgo.Option) {
	switch {
	case s.mux && s.gonet:
		return [][]trpcgo.Option{{
			trpcgo.WithTransport(transport.DefaultClientTransport), trpcgo.WithMultiplexed(true),
			trpcgo.WithMultiplexedPool(multiplexed.New(multiplexed.WithConnectNumber(o.Conns), multiplexed.WithDialTimeout(c.patience))),
		}}
	case s.mux:
		for range o.Conns {
			list = append(list, []trpcgo.Option{
				trpcgo.WithTransport(tnet.DefaultClientTransport), trpcgo.WithMultiplexed(true),
				trpcgo.WithMultiplexedPool(multiplex.NewPool(c.keeping(tnet.Dial), multiplex.WithDialTimeout(c.patience))),
			})
		}
		return list
	}
	pool := []connpool.Option{connpool.WithIdleTimeout(0), connpool.WithDialTimeout(c.patience)}
	if s.gonet {
		pool = append(pool, connpool.WithDialFunc(c.keeping(connpool.Dial)))
		return [][]trpcgo.Option{{trpcgo.WithTransport(transport.DefaultClientTransport), trpcgo.WithPool(connpool.NewConnectionPool(pool...))}}
	}
	pool = append(pool, connpool.WithDialFunc(c.keeping(tnet.Dial)), connpool.WithHealthChecker(tnet.HealthChecker))
	return [][]trpcgo.Option{{trpcgo.WithTransport(tnet.DefaultClientTransport), trpcgo.WithPool(connpool.NewConnectionPool(pool...))}}
}

// keeping keeps what dial opens.
func (c *conns) keeping(dial connpool.DialFunc) connpool.DialFunc {
	return func(o *connpool.DialOptions) (net.Conn, error) {
		conn, err := dial(o)
		if err != nil {
			return nil, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.closed {
			return nil, errors.Join(errClosed, conn.Close())
		}
		c.open = append(c.open, conn)
		return conn, nil
	}
}

func (c *conns) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for _, conn := range c.open {
		conn.Close() // fails if the pool has closed it
	}
}
