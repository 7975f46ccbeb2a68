package rig

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func prepareMessage(ctx context.Context, c framework.Client, q requestSpec) (job, error) {
	if mc, ok := c.(framework.MessageClient); ok {
		a := newAnswers(q.workers)
		return job{call: afresh(a.begin, mc.Message(q.workers, a.keep)), check: a.compare}, nil
	}
	return prepareEcho(ctx, c, q)
}
