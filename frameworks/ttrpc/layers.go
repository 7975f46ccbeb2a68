package ttrpc

import (
	"context"

	"github.com/containerd/otelttrpc"
	"github.com/containerd/ttrpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/tracing"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// traceHeader is the most bytes that the span of a client adds to a request: traceparent,
// which has 11 letters for a name and 55 for a value, and the lengths of both.
const traceHeader = 2 + 2 + 11 + 2 + 55

// maxMessage is MaxMessage with layers.
func maxMessage(s layer.Stack) int {
	if s.Has(layer.OTel) {
		return MaxMessage - traceHeader
	}
	return MaxMessage
}

func serverLayers(s layer.Stack) (options []ttrpc.ServerOpt) {
	if s.Has(layer.OTel) {
		options = append(options, ttrpc.WithUnaryServerInterceptor(otelttrpc.UnaryServerInterceptor(traced()...)))
	}
	return append(options, chainOfServer(s.Chain))
}

func clientLayers(s layer.Stack) (options []ttrpc.ClientOpts) {
	if s.Has(layer.OTel) {
		options = append(options, ttrpc.WithChainUnaryClientInterceptor(underParent, otelttrpc.UnaryClientInterceptor(traced()...)))
	}
	return append(options, chainOfClient(s.Chain))
}

func traced() []otelttrpc.Option {
	return []otelttrpc.Option{otelttrpc.WithTracerProvider(tracing.Provider()), otelttrpc.WithPropagators(tracing.Propagator())}
}

// underParent gives the spans of calls a parent, which the code around a call would have.
func underParent(ctx context.Context, req *ttrpc.Request, resp *ttrpc.Response, _ *ttrpc.UnaryClientInfo, invoke ttrpc.Invoker) error {
	return invoke(tracing.Under(ctx), req, resp)
}
