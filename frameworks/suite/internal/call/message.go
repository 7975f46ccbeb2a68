package call

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func prepareMessage(ctx context.Context, c framework.Client, q Requests) (Job, error) {
	if mc, ok := c.(framework.MessageClient); ok {
		a := newAnswers(q.Workers)
		return Job{Call: afresh(a.begin, mc.Message(q.Workers, a.keep)), Check: a.compare}, nil
	}
	return prepareEcho(ctx, c, q)
}
