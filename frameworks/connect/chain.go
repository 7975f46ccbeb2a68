package connect

import (
	"context"
	"slices"

	"connectrpc.com/connect"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

func chains() layer.Interceptors { return layer.Interceptors{By: "WithInterceptors of both sides"} }

// chained has the calls of a side pass n interceptors that do nothing.
func chained(n int) connect.Option {
	return connect.WithInterceptors(slices.Repeat([]connect.Interceptor{connect.UnaryInterceptorFunc(passes)}, n)...)
}

func passes(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) { return next(ctx, r) }
}
