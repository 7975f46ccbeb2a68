package grpcload

import (
	"context"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/inturn"
)

var _ loadgen.Runner = (*Client)(nil).Run

// Run calls the targets as cfg says. With several parts the Result has each in Parts; see
// Names. A Check of cfg runs after the Check of the Client's Config. When ctx is over, calls in
// flight go on until their Timeout or the end of Drain.
func (c *Client) Run(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	r := &run{Client: c, kept: make([]replies, max(cfg.Workers, 0))}
	calls := inturn.Calls{
		Targets: len(c.targets), Parts: c.names, PartOf: func(target int) int { return c.targets[target].part },
		Call: r.call,
	}
	if c.check != nil {
		calls.Check = r.judge
	}
	return calls.Run(ctx, cfg)
}

// run is the load of a Config.
type run struct {
	*Client
	kept []replies // of the call of each worker, if there is a check
}

func (r *run) call(ctx context.Context, worker, target int) error {
	kept := (*replies)(nil)
	if r.check != nil {
		kept = &r.kept[worker]
		*kept = (*kept)[:0]
	}
	return r.targets[target].call(ctx, r.conns[worker%len(r.conns)], r.options, kept)
}

// judge has the replies of a worker's call judged.
func (r *run) judge(worker, target int) error {
	return r.targets[target].judge(r.kept[worker], r.check)
}
