// Package conformance tests that variants do the same work, each with its server in a
// process of its own.
package conformance

import (
	"cmp"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/trial"
)

// Config says what is tested.
type Config struct {
	Rig      *rig.Rig
	Targets  []plan.Target
	Networks []plan.Network // each variant is tested over each of them
	// Lost says why a network cannot be had; nil if it can.
	Lost func(plan.Network) error
	// Short leaves out variants that are neither recommended nor given by -server.
	Short bool
	// Traced says that some of Targets are traced.
	Traced bool
	// Patience is how long nothing may happen in a part of the test of a variant; 0 for six
	// times as long as its calls may take.
	Patience time.Duration
}

// Test tests all variants over all networks, beside each other.
func Test(t tester.T, c Config) {
	tracing := new(sync.Mutex)
	for _, n := range c.Networks {
		for _, v := range c.Targets {
			t.Run(v.ID()+keyOf(n), func(t tester.T) {
				if c.Short && !v.Recommended && v.Given == "" {
					t.Skip("with -short recommended variants alone are tested")
				}
				c.reaches(t, n, v)
				t.Parallel()
				enough := tester.Enough + n.Worst(transferSize)
				s := subject{Target: v, rig: c.Rig, network: n, enough: enough, tracing: tracing, othersTraced: c.Traced}
				tester.Bounded(t, cmp.Or(c.Patience, 6*enough), func(t tester.T) { conform(t, s) })
			})
		}
	}
}

// keyOf is the key of a network in the name of a test; "" for none.
func keyOf(n plan.Network) string {
	if n.Direct() {
		return ""
	}
	return "/net=" + n.Name
}

// reaches ends a test that cannot have its network.
func (c Config) reaches(t tester.T, n plan.Network, v plan.Target) {
	if n.Unix && !v.Unix {
		t.Skip("it has no Unix sockets here")
	}
	if !n.Direct() && !n.Places() {
		t.Skip("calls are proven over lines and Unix sockets alone: a proxy changes nothing that they could notice")
	}
	if err := c.Lost(n); err != nil {
		t.Fatal(foreign.Error(err))
	}
}

func conform(t tester.T, s subject) {
	v := s.Target
	if race.Enabled && v.Races.Calls != "" {
		t.Skip("under the race detector: ", v.Races.Calls)
	}
	if v.Given != "" {
		require.NoError(t, trial.Greet(&s.rig.Load, v))
	}
	s.server = s.start(t)
	t.Run("connections", s.keepsToTheBudget) // the first: others may leave some open
	t.Run("promises", s.isWhatItPromises)
	t.Run("echo", s.echoes)
	t.Run("sizes", s.variesSizes)
	if v.Given == "" { // others need not know how to answer
		t.Run("replies", s.handsOutReplies)
	}
	t.Run("limit", s.namesItsLimit)
	t.Run("concurrent", s.keepsRepliesApart)
	t.Run("deadline", s.returnsInTime)
	if v.Async {
		t.Run("asynchronous", s.echoesAsync)
	}
	if v.Kind == framework.Fields {
		t.Run("message", s.answersMessage)
	}
	if s.streaming = v.Streams && s.lacks(call.StreamCase(v)) == nil; v.Streams {
		t.Run("streams", s.streams)
	}
	if v.Kind == framework.Fields {
		t.Run("reply sizes", s.repliesInTheSizeAskedFor)
	}
	t.Run("transfers", s.transfers)
	if v.DialAll != nil && v.Given == "" {
		t.Run("several servers", s.usesAllServers)
	}
	if v.Kind != framework.Bare {
		t.Run("handler error", s.reportsHandlerErrors)
		t.Run("unknown method", s.reportsUnknownMethods)
	}
	if v.Unix && v.Given == "" && s.network.Direct() {
		t.Run("unix socket", s.worksOverAUnixSocket)
	}
	if v.Layers != nil && v.Given == "" && s.network.Direct() {
		t.Run("layers", s.hasItsLayers)
		if v.Layers.Metadata.By != "" {
			t.Run("metadata", s.carriesMetadata)
		}
		if v.Layers.Chain.By != "" {
			t.Run("chain", s.hasItsChain)
		}
	}
	if v.Given == "" {
		t.Run("no server", s.failsToConnect)
		t.Run("server stopped", s.failsWithoutServer) // the last: it stops it
	}
}
