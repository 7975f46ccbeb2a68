package connect

import (
	"context"

	"connectrpc.com/connect"
	"connectrpc.com/otelconnect"

	"github.com/rpcbench/rpcbench/frameworks/internal/compress"
	"github.com/rpcbench/rpcbench/frameworks/internal/tracing"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// clientLayers returns the options of clients but for TLS and gzip.
func clientLayers(stack layer.Stack) (options []connect.ClientOption) {
	if c := codecOf(stack); c != nil {
		options = append(options, connect.WithAcceptCompression(c.Name(), decompressor(c), compressor(c)), connect.WithSendCompression(c.Name()))
	}
	if stack.Has(layer.OTel) {
		options = append(options, connect.WithInterceptors(interceptor()))
	}
	if stack.Metadata.Entries > 0 {
		options = append(options, carrying(stack.Metadata))
	}
	if n := stack.Chain; n > 0 {
		options = append(options, chained(n))
	}
	return options
}

// serverLayers returns the options of handlers but for TLS. They have gzip by default.
func serverLayers(stack layer.Stack) (options []connect.HandlerOption) {
	if c := codecOf(stack); c != nil {
		options = append(options, connect.WithCompression(c.Name(), decompressor(c), compressor(c)))
	}
	if stack.Has(layer.OTel) {
		options = append(options, connect.WithInterceptors(interceptor(otelconnect.WithTrustRemote())))
	}
	if stack.Metadata.Entries > 0 {
		options = append(options, returning())
	}
	if n := stack.Chain; n > 0 {
		options = append(options, chained(n))
	}
	return options
}

// codecOf returns the compressor that connect itself does not have; nil for none.
func codecOf(stack layer.Stack) *compress.Codec {
	if stack.Has(layer.Gzip) {
		return nil
	}
	return compress.Named(string(stack.Compression()))
}

func decompressor(c *compress.Codec) func() connect.Decompressor {
	return func() connect.Decompressor { return c.NewReader() }
}

func compressor(c *compress.Codec) func() connect.Compressor {
	return func() connect.Compressor { return c.NewWriter() }
}

func interceptor(options ...otelconnect.Option) *otelconnect.Interceptor {
	i, err := otelconnect.NewInterceptor(append(options, otelconnect.WithTracerProvider(tracing.Provider()), otelconnect.WithPropagator(tracing.Propagator()))...)
	if err != nil {
		panic(err) // only metrics, which are not set up, can fail
	}
	return i
}

// under returns what gives a call its parent.
func under(stack layer.Stack) func(context.Context) context.Context {
	if stack.Has(layer.OTel) {
		return tracing.Under
	}
	return func(ctx context.Context) context.Context { return ctx }
}
