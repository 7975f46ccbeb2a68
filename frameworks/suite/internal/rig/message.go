package rig

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// message is a closed loop of callers of the bench message. Clients without a bench
// message echo the same number of bytes.
func message() *plan.Benchmark {
	return &plan.Benchmark{Name: "Message", Reach: plan.Proxied, Cases: func(o *plan.Options, _ plan.Target) []plan.Leaf {
		c := benchMessage()
		c.kind = "" // which the benchmark's name says
		return closed(o, c)
	}}
}

func prepareMessage(ctx context.Context, c framework.Client, q requestSpec) (job, error) {
	if mc, ok := c.(framework.MessageClient); ok {
		a := newAnswers(q.workers)
		return job{call: afresh(a.begin, mc.Message(q.workers, a.keep)), check: a.compare}, nil
	}
	return prepareEcho(ctx, c, q)
}
