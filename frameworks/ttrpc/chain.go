package ttrpc

import (
	"context"
	"slices"

	"github.com/containerd/ttrpc"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

func chains() layer.Interceptors {
	return layer.Interceptors{By: "WithChainUnaryClientInterceptor and WithChainUnaryServerInterceptor"}
}

// chainOfClient has calls of a client pass n interceptors that do nothing.
func chainOfClient(n int) ttrpc.ClientOpts {
	return ttrpc.WithChainUnaryClientInterceptor(slices.Repeat([]ttrpc.UnaryClientInterceptor{invokes}, n)...)
}

// chainOfServer is chainOfClient of a server.
func chainOfServer(n int) ttrpc.ServerOpt {
	return ttrpc.WithChainUnaryServerInterceptor(slices.Repeat([]ttrpc.UnaryServerInterceptor{handles}, n)...)
}

func invokes(ctx context.Context, req *ttrpc.Request, resp *ttrpc.Response, _ *ttrpc.UnaryClientInfo, next ttrpc.Invoker) error {
	return next(ctx, req, resp)
}

func handles(ctx context.Context, unmarshal ttrpc.Unmarshaler, _ *ttrpc.UnaryServerInfo, next ttrpc.Method) (any, error) {
	return next(ctx, unmarshal)
}
