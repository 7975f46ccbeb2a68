package rig

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func prepareAsync(_ context.Context, c framework.Client, q requestSpec) (job, error) {
	ac, err := framework.As[framework.AsyncClient](c)
	if err != nil {
		return job{}, err
	}
	requests, r := q.replies(ac)
	call, check := keptAsync(ac, requests, r)
	return job{async: call, check: check}, nil
}
