package conformance

import (
	"context"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/frames"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// hasItsChain makes calls that pass interceptors, and sees by the stacks of a call that they
// are there: so they need not count, which would take time.
func (s subject) hasItsChain(t tester.T) {
	two := s.chained(t, 2)
	two.server = two.start(t)
	two.callsEachWay(t)
	if s.Layers.Chain.Apart == "" && s.rig.Machines.Host == "" { // the other machine has no such workload
		s.passesItsChain(t)
	}
}

// chained returns the subject with n interceptors.
func (s subject) chained(t tester.T, n int) subject {
	v, err := plan.WithLayers(s.Variant, layer.Stack{Chain: n})
	require.NoError(t, err)
	assert.Equal(t, s.RequiredKeys(), v.RequiredKeys(), "a chain changes no other key")
	s.Variant = v
	return s
}

// passesItsChain wants the stacks of a call on both sides to have as many frames of a function
// as there are interceptors. The call has no deadline, for which some adapters would make it in
// another goroutine.
func (s subject) passesItsChain(t tester.T) {
	const n = 7 // of which no stack has as many frames for another reason
	s.tracing.Lock()
	defer s.tracing.Unlock()
	seven := s.chained(t, n)
	var err error
	seven.server, err = s.rig.Start(t.Context(), seven.Target, frames.Work, s.network)
	require.NoError(t, err)
	t.Cleanup(func() { seven.server.Stop() })
	call := seven.dial(t, 1).Echo([]framework.EchoMessage{{Action: ask.Work(frames.Work)}}, func(int, framework.EchoMessage) error { return nil })
	var seen []int // may miss the call on a busy machine, so that it tries again
	for end := time.Now().Add(s.enough / 4); !slices.Contains(seen, n) && time.Now().Before(end); {
		seen, err = frames.Of(func() error { return call(context.Background(), 0) })
	}
	assert.Contains(t, seen, n, "interceptors of the client, by frames of a function in the stack of a call")
	assert.ErrorContains(t, err, "frames of functions: [", "the handler's error")
	assert.Regexp(t, ` 7\b`, err, "interceptors of the server, by frames of a function in the stack of a handler")
}
