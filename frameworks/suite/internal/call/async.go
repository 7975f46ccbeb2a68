package call

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// PrepareAsync has the workers make asynchronous calls of Echo.
func PrepareAsync(_ context.Context, c framework.Client, q Requests) (Job, error) {
	ac, err := As[framework.AsyncClient](c)
	if err != nil {
		return Job{}, err
	}
	requests, r := q.Replies()
	call, check := keptAsync(ac, requests, r)
	return Job{Async: call, Check: check}, nil
}
