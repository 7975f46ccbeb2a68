package kitex

import (
	"context"
	"slices"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/client/callopt"
	"github.com/cloudwego/kitex/pkg/endpoint"
	"github.com/cloudwego/kitex/pkg/remote/codec/protobuf/encoding"
	_ "github.com/cloudwego/kitex/pkg/remote/codec/protobuf/encoding/gzip" // registers it
	"github.com/cloudwego/kitex/server"
	otel "github.com/kitex-contrib/obs-opentelemetry/tracing"

	"github.com/rpcbench/rpcbench/frameworks/internal/compress"
	"github.com/rpcbench/rpcbench/frameworks/internal/tracing"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// Compressors can be registered by init functions alone.
func init() {
	encoding.RegisterCompressor(compress.Zstd())
	encoding.RegisterCompressor(compress.Snappy())
}

func (s setup) serverLayers() []server.Option {
	if !s.layers.Has(layer.OTel) {
		return nil
	}
	tracing.SetGlobals() // the suites take their provider from there
	return []server.Option{server.WithSuite(otel.NewServerSuite())}
}

func (s setup) clientLayers() []kitexclient.Option {
	if !s.layers.Has(layer.OTel) {
		return nil
	}
	tracing.SetGlobals()
	if s.name == grpc.name { // the other suite would have its calls use TTHeader
		//lint:ignore SA1019 there is no other for gRPC
		return []kitexclient.Option{kitexclient.WithSuite(otel.NewGRPCClientSuite())}
	}
	return []kitexclient.Option{kitexclient.WithSuite(otel.NewClientSuite())}
}

// contexts returns what changes the contexts of calls; nil for nothing.
func (s setup) contexts() func(context.Context) context.Context {
	var compressed []callopt.Option
	if l := s.layers.Compression(); l != "" {
		compressed = append(compressed, callopt.WithGRPCCompressor(string(l))) // layers have the names of compressors
	}
	traced := s.layers.Has(layer.OTel)
	if !traced && compressed == nil {
		return nil
	}
	return func(ctx context.Context) context.Context {
		if traced {
			ctx = tracing.Under(ctx)
		}
		return kitexclient.NewCtxWithCallOptions(ctx, compressed)
	}
}

func chains() layer.Interceptors { return layer.Interceptors{By: "WithMiddleware of both sides"} }

// clientChain are the options of a client whose calls pass middlewares that do nothing.
func (s setup) clientChain() []kitexclient.Option {
	return slices.Repeat([]kitexclient.Option{kitexclient.WithMiddleware(passes)}, s.layers.Chain)
}

// serverChain is clientChain of a server.
func (s setup) serverChain() []server.Option {
	return slices.Repeat([]server.Option{server.WithMiddleware(passes)}, s.layers.Chain)
}

func passes(next endpoint.Endpoint) endpoint.Endpoint {
	return func(ctx context.Context, req, resp any) error { return next(ctx, req, resp) }
}
