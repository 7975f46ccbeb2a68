package grpc

import (
	"context"
	"slices"

	"google.golang.org/grpc"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

func chains() layer.Interceptors {
	return layer.Interceptors{By: "WithChainUnaryInterceptor and ChainUnaryInterceptor"}
}

// chainOfClient has calls of a client pass n interceptors.
func chainOfClient(n int) grpc.DialOption {
	return grpc.WithChainUnaryInterceptor(slices.Repeat([]grpc.UnaryClientInterceptor{invokes}, n)...)
}

// chainOfServer has calls of a server pass n interceptors.
func chainOfServer(n int) grpc.ServerOption {
	return grpc.ChainUnaryInterceptor(slices.Repeat([]grpc.UnaryServerInterceptor{handles}, n)...)
}

func invokes(ctx context.Context, method string, req, reply any, c *grpc.ClientConn, next grpc.UnaryInvoker, o ...grpc.CallOption) error {
	return next(ctx, method, req, reply, c, o...)
}

func handles(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	return next(ctx, req)
}
