package kitex

import (
	"context"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/client/callopt"
	"github.com/cloudwego/kitex/pkg/remote/codec/protobuf/encoding"
	_ "github.com/cloudwego/kitex/pkg/remote/codec/protobuf/encoding/gzip" // registers it
	"github.com/cloudwego/kitex/pkg/streaming"
	"github.com/cloudwego/kitex/server"
	otel "github.com/kitex-contrib/obs-opentelemetry/tracing"

	"github.com/rpcbench/rpcbench/frameworks/internal/compress"
	"github.com/rpcbench/rpcbench/frameworks/internal/tracing"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Compressors can be registered by init functions alone.
func init() {
	encoding.RegisterCompressor(compress.Zstd())
	encoding.RegisterCompressor(compress.Snappy())
}

// layersOfCalls describes the layers of kitex's own protocols. They cannot compress, and
// netpoll, on which they run, has no TLS.
func layersOfCalls(s setup, k kind) *framework.Layers {
	return &framework.Layers{
		Has:  map[framework.Layer]string{framework.OTel: "the suites of obs-opentelemetry, which have calls use TTHeader"},
		With: func(stack framework.Stack) framework.Variant { return with(stack, s, k) },
	}
}

// layersOfGRPC describes the layers of kitex's gRPC. Its clients have TLS and its servers
// have none: netpoll has none, and over package net they do not answer.
func layersOfGRPC(s setup, k kind) *framework.Layers {
	const answers = "; the server answers with the compressor of the request"
	return &framework.Layers{
		Has: map[framework.Layer]string{
			framework.Gzip:   "WithGRPCCompressor with kitex's gzip" + answers,
			framework.Zstd:   "WithGRPCCompressor with klauspost's zstd, by RegisterCompressor" + answers,
			framework.Snappy: "WithGRPCCompressor with golang/snappy, by RegisterCompressor" + answers,
			framework.OTel:   "the suites of obs-opentelemetry for gRPC",
		},
		With: func(stack framework.Stack) framework.Variant { return with(stack, s, k) },
	}
}

func with(stack framework.Stack, s setup, k kind) framework.Variant {
	s.layers = stack
	v := variant(s, k)
	if stack.Has(framework.OTel) {
		v.Modules = append(v.Modules, "go.opentelemetry.io/otel", "github.com/kitex-contrib/obs-opentelemetry")
	}
	return v
}

func (s setup) serverLayers() []server.Option {
	if !s.layers.Has(framework.OTel) {
		return nil
	}
	tracing.SetGlobals() // the suites take their provider from there
	return []server.Option{server.WithSuite(otel.NewServerSuite())}
}

func (s setup) clientLayers() []kitexclient.Option {
	if !s.layers.Has(framework.OTel) {
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
	traced := s.layers.Has(framework.OTel)
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

// within is a client whose calls and streams have other contexts.
type within struct {
	kitexclient.Client
	context func(context.Context) context.Context
}

// Call implements kitexclient.Client.
func (c within) Call(ctx context.Context, method string, request, response any) error {
	return c.Client.Call(c.context(ctx), method, request, response)
}

// Stream implements kitexclient.Streaming.
func (c within) Stream(ctx context.Context, method string, request, response any) error {
	return c.Client.(kitexclient.Streaming).Stream(c.context(ctx), method, request, response)
}

// StreamX implements kitexclient.Streaming.
func (c within) StreamX(ctx context.Context, method string) (streaming.ClientStream, error) {
	return c.Client.(kitexclient.Streaming).StreamX(c.context(ctx), method)
}

// Close implements io.Closer.
func (c within) Close() error { return closeClient(c.Client) }

// within has the client's calls get other contexts.
func (c *client[E, B]) within(context func(context.Context) context.Context) {
	c.conns = within{c.conns, context}
}
