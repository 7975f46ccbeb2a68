package conformance

import (
	"bytes"
	"context"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/certs"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
	"github.com/rpcbench/rpcbench/loadgen"
)

// hasItsLayers repeats with each layer of a variant what may depend on the layer, and sees
// that the layer does what it is for. Variants that the flag -with makes pass all parts.
func (s subject) hasItsLayers(t tester.T) {
	for _, l := range layer.All() {
		if s.Layers.Has[l] != "" {
			t.Run(string(l), func(t tester.T) { s.hasLayer(t, l) })
		}
	}
}

func (s subject) hasLayer(t tester.T, l layer.Layer) {
	if l == layer.OTel { // spans are counted of all calls of the process
		s.tracing.Lock()
		defer s.tracing.Unlock()
	}
	wrapped := s
	wrapped.Variant = s.with(t, l, s.rig.Certificates())
	wrapped.server = wrapped.start(t)
	wrapped.echoes(t)
	if s.Kind == framework.Fields {
		wrapped.answersMessage(t)
	}
	if s.Kind != framework.Bare {
		wrapped.reportsHandlerErrors(t)
	}
	if s.streaming {
		wrapped.pingPongs(t, as[framework.StreamClient](t, wrapped.dial(t, 4)))
	}
	switch l {
	case layer.TLS13, layer.MTLS:
		wrapped.refusesStrangers(t, s, l)
	case layer.OTel:
		wrapped.traces(t)
	default:
		wrapped.compresses(t, s)
	}
}

// with returns the variant with a layer.
func (s subject) with(t tester.T, l layer.Layer, c *layer.Certificates) framework.Variant {
	stack, err := layer.Stack{Layers: []layer.Layer{l}}.Certified(c)
	require.NoError(t, err)
	v, err := plan.WithLayers(s.Variant, stack)
	require.NoError(t, err)
	assert.Equal(t, s.RequiredKeys(), v.RequiredKeys(), "a layer changes no other key")
	return v
}

// refusesStrangers wants the calls of clients without the right certificates to fail. bare is
// the subject without the layer.
func (s subject) refusesStrangers(t tester.T, bare subject, l layer.Layer) {
	s.skipRacy(t)
	others, err := certs.Make()
	require.NoError(t, err)
	s.fails(t, bare.with(t, l, others), "a client that does not trust the server's certificate")
	s.fails(t, bare.Variant, "a client without TLS")
	if l == layer.MTLS {
		s.fails(t, bare.with(t, layer.TLS13, s.rig.Certificates()), "a client without a certificate")
	}
	assert.NoError(t, tester.Call(s.dial(t, 1), 1, 1)(tester.Within(t, s.enough), 0), "the server goes on")
}

// fails wants an error of a client's dial, or of its first call.
func (s subject) fails(t tester.T, v framework.Variant, who string) {
	const patience = 2 * time.Second
	c, err := v.Dial(s.server.Addr(), framework.DialOptions{Conns: 1, Callers: 1, Patience: patience})
	if err != nil {
		return
	}
	if !s.racy() {
		defer c.Close()
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	assert.Error(t, tester.Call(c, 1, 1<<10)(ctx, 0), who)
}

// compresses wants both ways of a call to carry less than half of a payload that can be
// compressed to a fraction, where all of it passes without the layer.
func (s subject) compresses(t tester.T, bare subject) {
	if s.Kind == framework.Bytes {
		t.Skip("bytes past the serializer may pass by the compression of messages too")
	}
	const size = 64 << 10
	sent, received := s.carried(t, size)
	assert.Less(t, sent, int64(size/2), "bytes of a request")
	assert.Less(t, received, int64(size/2), "bytes of a reply")
	sent, received = bare.carried(t, size)
	assert.GreaterOrEqual(t, sent, int64(size), "bytes of a request without the layer")
	assert.GreaterOrEqual(t, received, int64(size), "bytes of a reply without the layer")
}

// carried returns how many bytes TCP carries of a call with compressible bytes.
func (s subject) carried(t tester.T, size int) (sent, received int64) {
	requests := []framework.EchoMessage{{Action: handler.ActionEcho, Msg: bytes.Repeat([]byte("compress"), size/8)}}
	call := s.dial(t, 1).Echo(requests, call.CheckAll(requests))
	for range 2 * s.shared() { // so that connections are open, and what they negotiate is over
		require.NoError(t, call(tester.Within(t, s.enough), 0))
	}
	ports, err := sockets.PortsOf(s.server.Addr())
	require.NoError(t, err)
	before, err := sockets.OwnTraffic(ports)
	if err != nil {
		t.Skip(err)
	}
	require.NoError(t, call(tester.Within(t, s.enough), 0))
	after, err := sockets.OwnTraffic(ports)
	require.NoError(t, err)
	of, err := after.Since(before)
	require.NoError(t, err)
	return of.Sent, of.Received
}

// traces wants a span with a parent for every call, on both sides, and no more. Spans of
// calls before may end late, so that it tries several times.
func (s subject) traces(t tester.T) {
	const calls, tries = 20, 5
	call := tester.Call(s.dial(t, 1), 1, 1<<10)
	require.NoError(t, call(tester.Within(t, s.enough), 0))
	var client, server int64
	for try := 0; try < tries && (client != calls || server != calls); try++ {
		client, server = s.spans(t, call, calls)
	}
	if s.othersTraced && client > calls {
		client = calls
	}
	assert.EqualValues(t, calls, client, "spans of the client")
	assert.EqualValues(t, calls, server, "spans of the server")
}

// spans returns how many spans with a parent calls have. The span of a call may end after
// its reply has come.
func (s subject) spans(t tester.T, call loadgen.Call, calls int64) (client, server int64) {
	_, clientBefore := count.Spans()
	serverBefore, err := s.server.Spans(t.Context())
	require.NoError(t, err)
	for range calls {
		require.NoError(t, call(tester.Within(t, s.enough), 0))
	}
	for end := time.Now().Add(s.enough / 20); ; time.Sleep(10 * time.Millisecond) {
		_, client = count.Spans()
		server, err = s.server.Spans(t.Context())
		require.NoError(t, err)
		client, server = client-clientBefore, server-serverBefore
		if client >= calls && server >= calls || time.Now().After(end) {
			return client, server
		}
	}
}
