package rpcx

import (
	rpcxclient "github.com/smallnest/rpcx/client"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// connections are shared by all workers. Each connection has an XClient of its own,
// because an XClient opens only one connection to an address. rpcx's documentation
// begins with the XClient. Unlike the plain Client it chooses a server, and replaces
// broken connections.
type connections struct {
	list   []rpcxclient.XClient
	pool   *rpcxclient.XClientPool // chooses one of list for each call; if nil, each worker has one
	closed chan struct{}

	carries bool // the calls of list carry metadata
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
