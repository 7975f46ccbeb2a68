package conformance

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/stack"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// carriesMetadata makes calls with metadata to one server, which sends back what came. The
// clients of adapters compare; that bytes pass at all is seen here.
func (s subject) carriesMetadata(t tester.T) {
	large := metadata.Set{Entries: 20, Bytes: 64, Fresh: true} // which no table of HPACK knows
	carrier := s.carrying(t, large)
	carrier.server = carrier.start(t)
	plain := s
	plain.server = carrier.server
	sent, received := plain.carried(t, small)
	sentMore, receivedMore := carrier.carried(t, small)
	least := int64(large.Size() / 2) // Huffman's code of HTTP/2 has letters of 5 to 7 bits
	assert.Greater(t, sentMore-sent, least, "bytes of a request's metadata")
	assert.Greater(t, receivedMore-received, least, "bytes of a reply's metadata")
	for _, set := range sets() {
		if stack.Lacks(s.Layers.Metadata, set) == "" {
			t.Run(set.String(), func(t tester.T) {
				one := s.carrying(t, set)
				one.server = carrier.server
				one.callsEachWay(t)
			})
		}
	}
}

// sets have values that frameworks may carry in other ways.
func sets() []metadata.Set {
	return []metadata.Set{
		{Entries: 2, Bytes: metadata.DefaultBytes},
		{Entries: 70, Bytes: metadata.DefaultBytes, Fresh: true},
		{Entries: 2},
		{Entries: 2, Bytes: metadata.DefaultBytes, Binary: true},
	}
}

// callsEachWay makes a few calls of each kind on one client.
func (s subject) callsEachWay(t tester.T) {
	c, ctx := s.dial(t, 1), tester.Within(t, s.enough)
	echo := tester.Call(c, 1, small)
	for range 3 {
		require.NoError(t, echo(ctx, 0))
	}
	if s.Kind == framework.Fields {
		message := as[framework.MessageClient](t, c).Message(1, func(int, string, int32, any) error { return nil })
		assert.NoError(t, message(ctx, 0), "the bench message")
	}
	if s.Async {
		requests := []framework.EchoMessage{{Action: handler.ActionEcho, Msg: call.RandomBytes(small, 1)}}
		done := make(chan error, 1)
		as[framework.AsyncClient](t, c).EchoAsync(requests, call.CheckAll(requests))(ctx, 0, func(err error) { done <- err })
		assert.NoError(t, <-done, "an asynchronous call")
	}
	if s.Kind != framework.Bare {
		assert.True(t, s.NotImplemented(as[framework.MethodClient](t, c).CallUnknown(ctx)), "an unknown method is one")
	}
}

// carrying returns the subject with metadata.
func (s subject) carrying(t tester.T, set metadata.Set) subject {
	v, err := plan.WithLayers(s.Variant, layer.Stack{Metadata: set})
	require.NoError(t, err)
	assert.Equal(t, s.RequiredKeys(), v.RequiredKeys(), "metadata changes no other key")
	s.Variant = v
	return s
}
