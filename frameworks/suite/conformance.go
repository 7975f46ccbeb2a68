package suite

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/trial"
)

// Conformance proves, before any speed figure, that every variant does the
// same work: each runs its server in a process of its own, as in a benchmark.
// Variants run beside each other, see Main. With -short those that are not
// recommended are skipped. Config.References are left out, unless
// -server names one. With -net each variant and its servers have that network between
// them, unless benchmarks are run as well:
//
//	go test -run Conformance . -set=recommended -net=delay-5ms_loss-0.5%
func Conformance(t *testing.T) {
	if current == nil {
		t.Fatal(hint)
	}
	if ids := os.Getenv(envDirect); ids != "" {
		proveDirect(t, strings.Fields(ids))
		return
	}
	directly(t, current.proven())
	tracing := new(sync.Mutex)
	for _, n := range current.networks() {
		for _, v := range current.proven() {
			t.Run(v.ID()+keyOf(n), func(t *testing.T) {
				if testing.Short() && !v.Recommended && v.Given == "" {
					t.Skip("with -short recommended variants alone are tested")
				}
				current.reaches(t, n, v)
				t.Parallel()
				conform(tester{t}, subject{
					Target: v, rig: current.rig, tracing: tracing, network: n, enough: enough + n.Worst(transferSize),
				})
			})
		}
	}
}

// networks are those that Conformance is tested over.
func (s *session) networks() []plan.Network {
	if s.benchmarking {
		return []plan.Network{{}}
	}
	return s.flags.Options.Networks.Values
}

// keyOf is the key of a network in the name of a test; "" for none.
func keyOf(n plan.Network) string {
	if n.Direct() {
		return ""
	}
	return "/net=" + n.Name
}

// reaches ends a test that cannot have its network.
func (s *session) reaches(t *testing.T, n plan.Network, v plan.Target) {
	if n.Unix && !v.Unix {
		t.Skip("it has no Unix sockets here")
	}
	if !n.Direct() && !n.Places() {
		t.Skip("calls are proven over lines and Unix sockets alone: a proxy changes nothing that they could notice")
	}
	if err := s.plan.Lost(n); err != nil {
		t.Fatal(foreign.Error(err))
	}
}

// proven are the targets that are not references, unless -server gives their server.
func (s *session) proven() []plan.Target {
	return slices.DeleteFunc(slices.Clone(s.plan.Targets), func(t plan.Target) bool {
		return t.Given == "" && s.flags.Refers(t.Variant)
	})
}

func conform(t tester, s subject) {
	v := s.Target
	if raceDetector && v.Races.Calls != "" {
		t.Skip("under the race detector: ", v.Races.Calls)
	}
	if v.Given != "" {
		require.NoError(t, trial.Greet(&s.rig.Load, v))
	}
	s.server = s.start(t)
	t.Run("connections", s.keepsToTheBudget) // the first: others may leave some open
	t.Run("promises", s.isWhatItPromises)
	t.Run("echo", s.echoes)
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
	}
	if v.Given == "" {
		t.Run("no server", s.failsToConnect)
		t.Run("server stopped", s.failsWithoutServer) // the last: it stops it
	}
}
