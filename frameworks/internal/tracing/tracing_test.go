package tracing

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
)

// TestSpansAreCounted: each span counts, even those that the batch processor drops.
func TestSpansAreCounted(t *testing.T) {
	count.Spans()
	before := exported()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { traced(t, 5000) })
	}
	all.Wait()
	spans, withParent := count.Spans()
	got := exported() - before
	assert.EqualValues(t, 8*5000*3, spans)
	assert.EqualValues(t, 8*5000*2, withParent, "of three spans one is a root")
	assert.LessOrEqual(t, got, spans)
	assert.Positive(t, got, "spans pass the batch processor")
	t.Logf("%d of %d spans passed the batch processor", got, spans)
}

// exported returns how many spans have passed the batch processor. The others were dropped,
// since its queue was full.
func exported() int64 {
	_ = process().provider.ForceFlush(context.Background()) // discarding never fails
	return process().exporter.spans.Load()
}

// traced makes the spans of n calls, and a root for each.
func traced(t *testing.T, n int) {
	tracer := Provider().Tracer("test")
	for range n {
		_, root := tracer.Start(context.Background(), "root")
		ctx, client := tracer.Start(Under(context.Background()), "client", trace.WithSpanKind(trace.SpanKindClient))
		header := propagation.MapCarrier{}
		Propagator().Inject(ctx, header)
		_, server := tracer.Start(Propagator().Extract(context.Background(), header), "server", trace.WithSpanKind(trace.SpanKindServer))
		if server.SpanContext().TraceID() != parent.SpanContext().TraceID() || !server.IsRecording() {
			t.Error("the server's span is not of the client's trace, or not sampled")
		}
		server.End()
		client.End()
		root.End()
	}
}

func TestUnderKeepsTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	under := Under(ctx)
	cancel()
	assert.ErrorIs(t, under.Err(), context.Canceled)
}

func TestGlobals(t *testing.T) {
	SetGlobals()
	assert.Same(t, Provider(), otel.GetTracerProvider())
	assert.Equal(t, Propagator(), otel.GetTextMapPropagator())
}

func BenchmarkSpan(b *testing.B) {
	tracer, before := Provider().Tracer("test"), exported()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			_, span := tracer.Start(Under(context.Background()), "client")
			span.End()
		}
	})
	b.ReportMetric(float64(exported()-before)/float64(b.N), "exported/op")
}
