// Package tracing is OpenTelemetry as production has it, but for where the spans go: every
// call is sampled, its spans pass the SDK's batch processor, and are then discarded.
package tracing

import (
	"context"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
)

// Provider returns the tracer provider of the process, which its first call makes. Its
// limits and its batch processor have the SDK's defaults.
func Provider() trace.TracerProvider { return process().provider }

// pipeline is what becomes of the spans of a process.
type pipeline struct {
	provider *sdk.TracerProvider
	exporter *discard
}

var process = sync.OnceValue(func() pipeline {
	exporter := new(discard)
	return pipeline{sdk.NewTracerProvider(sdk.WithSampler(sdk.AlwaysSample()), sdk.WithSpanProcessor(counter{}), sdk.WithBatcher(exporter)), exporter}
})

// Propagator returns W3C's trace context, which carries the parent of a server's span.
func Propagator() propagation.TextMapPropagator { return propagation.TraceContext{} }

// SetGlobals makes Provider and Propagator those of the process, for instrumentation that
// takes no others.
func SetGlobals() { setGlobals() }

var setGlobals = sync.OnceFunc(func() {
	otel.SetTracerProvider(Provider())
	otel.SetTextMapPropagator(Propagator())
})

// Under returns a context in which a client's call has a parent, as the calls of a service
// have that serves a traced request itself. The parent is the same for all calls, so that
// what it costs is not part of what is measured.
func Under(ctx context.Context) context.Context { return trace.ContextWithSpan(ctx, parent) }

var parent = trace.SpanFromContext(trace.ContextWithSpanContext(context.Background(), trace.NewSpanContext(trace.SpanContextConfig{
	TraceID: trace.TraceID{0: 1}, SpanID: trace.SpanID{0: 1}, TraceFlags: trace.FlagsSampled,
})))

// counter counts spans when they end. The batch processor drops spans while its queue is
// full, so that its exporter does not see them all.
type counter struct{}

// OnEnd implements sdk.SpanProcessor.
func (counter) OnEnd(s sdk.ReadOnlySpan) { count.Span(s.Parent().IsValid()) }

// OnStart implements sdk.SpanProcessor.
func (counter) OnStart(context.Context, sdk.ReadWriteSpan) {}

// Shutdown implements sdk.SpanProcessor.
func (counter) Shutdown(context.Context) error { return nil }

// ForceFlush implements sdk.SpanProcessor.
func (counter) ForceFlush(context.Context) error { return nil }

// discard is the exporter. It only counts.
type discard struct{ spans atomic.Int64 }

// ExportSpans implements sdk.SpanExporter.
func (d *discard) ExportSpans(_ context.Context, spans []sdk.ReadOnlySpan) error {
	d.spans.Add(int64(len(spans)))
	return nil
}

// Shutdown implements sdk.SpanExporter.
func (*discard) Shutdown(context.Context) error { return nil }
