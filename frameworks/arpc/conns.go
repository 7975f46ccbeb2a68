package arpc

import (
	"context"
	"fmt"
	"time"

	"github.com/lesismal/arpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// connections are shared by all workers. arpc itself reconnects, once a second; calls
// fail until that succeeds.
type connections struct {
	pool  *arpc.ClientPool
	round bool       // the pool chooses a connection for each call; otherwise each worker has one
	open  *conns.Set // also those that arpc opens after it was stopped, when it was about to reconnect
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

// patience returns the timeout that arpc is given for a call. It is a little longer
// than ctx, which ends the call first.
func patience(ctx context.Context) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		return max(time.Until(end), 0) + time.Second
	}
	return arpc.TimeForever
}
