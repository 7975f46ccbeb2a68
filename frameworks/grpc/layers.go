package grpc

import (
	"context"

	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/gzip" // registers it

	"github.com/rpcbench/rpcbench/frameworks/internal/compress"
	"github.com/rpcbench/rpcbench/frameworks/internal/tracing"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// Compressors can be registered by init functions alone. Clients announce them in each
// call, with layers or without: a byte once a connection knows the header, and an entry in
// the server's metadata.
func init() {
	encoding.RegisterCompressor(compress.Zstd())
	encoding.RegisterCompressor(compress.Snappy())
}

// alpn is the protocol of HTTP/2 in TLS.
const alpn = "h2"

func serverLayers(s layer.Stack) (options []grpc.ServerOption) {
	if s.TLS() {
		options = append(options, grpc.Creds(credentials.NewTLS(s.ServerTLS(alpn))))
	}
	if s.Has(layer.OTel) {
		options = append(options, grpc.StatsHandler(otelgrpc.NewServerHandler(traced()...)))
	}
	if s.Metadata.Entries > 0 {
		options = append(options, returning())
	}
	if n := s.Chain; n > 0 {
		options = append(options, chainOfServer(n))
	}
	return options
}

// clientLayers returns the options of all connections of a client.
func clientLayers(s layer.Stack, o framework.DialOptions) []grpc.DialOption {
	secured := insecure.NewCredentials()
	if s.TLS() {
		secured = credentials.NewTLS(s.ClientTLS(o.Handshakes, alpn))
	}
	options := []grpc.DialOption{grpc.WithTransportCredentials(secured)}
	if l := s.Compression(); l != "" {
		options = append(options, grpc.WithDefaultCallOptions(grpc.UseCompressor(string(l)))) // layers have the names of compressors
	}
	if s.Has(layer.OTel) {
		options = append(options, grpc.WithStatsHandler(otelgrpc.NewClientHandler(traced()...)),
			grpc.WithChainUnaryInterceptor(underParent), grpc.WithChainStreamInterceptor(streamUnderParent))
	}
	if s.Metadata.Entries > 0 {
		options = append(options, carrying(s.Metadata))
	}
	if n := s.Chain; n > 0 {
		options = append(options, chainOfClient(n))
	}
	return options
}

func traced() []otelgrpc.Option {
	return []otelgrpc.Option{otelgrpc.WithTracerProvider(tracing.Provider()), otelgrpc.WithPropagators(tracing.Propagator())}
}

// underParent gives the spans of calls a parent, which the code around a call would have.
func underParent(ctx context.Context, method string, req, reply any, c *grpc.ClientConn, invoke grpc.UnaryInvoker, o ...grpc.CallOption) error {
	return invoke(tracing.Under(ctx), method, req, reply, c, o...)
}

// streamUnderParent is underParent for streams.
func streamUnderParent(ctx context.Context, desc *grpc.StreamDesc, c *grpc.ClientConn, method string, open grpc.Streamer, o ...grpc.CallOption) (grpc.ClientStream, error) {
	return open(tracing.Under(ctx), desc, c, method, o...)
}
