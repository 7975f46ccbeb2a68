package thrift

import (
	"context"
	"slices"

	"github.com/apache/thrift/lib/go/thrift"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

func chains() layer.Interceptors { return layer.Interceptors{By: "WrapClient and WrapProcessor"} }

// callsThrough returns a client whose calls pass n middlewares that do nothing.
func callsThrough(c thrift.TClient, n int) thrift.TClient {
	return thrift.WrapClient(c, slices.Repeat([]thrift.ClientMiddleware{calls}, n)...)
}

func calls(next thrift.TClient) thrift.TClient {
	return thrift.WrappedTClient{Wrapped: func(ctx context.Context, method string, args, result thrift.TStruct) (thrift.ResponseMeta, error) {
		return next.Call(ctx, method, args, result)
	}}
}

// processesThrough is callsThrough of a server.
func processesThrough(p thrift.TProcessor, n int) thrift.TProcessor {
	return thrift.WrapProcessor(p, slices.Repeat([]thrift.ProcessorMiddleware{processes}, n)...)
}

func processes(_ string, next thrift.TProcessorFunction) thrift.TProcessorFunction {
	return thrift.WrappedTProcessorFunction{Wrapped: func(ctx context.Context, id int32, in, out thrift.TProtocol) (bool, thrift.TException) {
		return next.Process(ctx, id, in, out)
	}}
}
