package suite

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
)

// Conformance proves, before any speed figure, that every variant does the
// same work: each runs its server in a process of its own, as in a benchmark.
// Variants run beside each other, as many as -parallel allows. With -short those
// that are not recommended are skipped.
func Conformance(t *testing.T) {
	if current == nil {
		t.Fatal(hint)
	}
	for _, v := range current.plan.Targets {
		t.Run(v.ID(), func(t *testing.T) {
			if testing.Short() && !v.Recommended && v.Given == "" {
				t.Skip("with -short recommended variants alone are tested")
			}
			t.Parallel()
			conform(t, current.rig, v)
		})
	}
}

func conform(t *testing.T, r *rig.Rig, v plan.Target) {
	if raceDetector && v.Races.Calls != "" {
		t.Skip("under the race detector: ", v.Races.Calls)
	}
	if v.Given != "" {
		require.NoError(t, r.Try(rig.EchoCase(v)), v.Place())
	}
	s := subject{Target: v, rig: r}
	s.server = s.start(t)
	t.Run("connections", s.keepsToTheBudget) // the first: others may leave some open
	t.Run("promises", s.isWhatItPromises)
	t.Run("echo", s.echoes)
	t.Run("limit", s.namesItsLimit)
	t.Run("concurrent", s.keepsRepliesApart)
	t.Run("deadline", s.returnsInTime)
	if v.Async {
		t.Run("asynchronous", s.echoesAsync)
	}
	if v.Kind == framework.Fields {
		t.Run("message", s.answersMessage)
	}
	if v.Streams {
		t.Run("streams", s.streams)
	}
	t.Run("transfers", s.transfers)
	if v.DialAll != nil && v.Given == "" {
		t.Run("several servers", s.usesAllServers)
	}
	if v.Kind != framework.Bare {
		t.Run("handler error", s.reportsHandlerErrors)
		t.Run("unknown method", s.reportsUnknownMethods)
	}
	if v.Given == "" {
		t.Run("server stopped", s.failsWithoutServer) // the last: it stops it
	}
}
