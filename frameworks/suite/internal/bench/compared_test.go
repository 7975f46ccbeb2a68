package bench

import (
	"cmp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fakes"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
)

// Every benchmark that calls Echo compares what came back.
func TestEveryBenchmarkComparesReplies(t *testing.T) {
	v := framework.Variant{Keys: framework.Keys{Framework: "a"}, Abilities: framework.Abilities{Streams: true, Async: true}}
	p := planned(t, []framework.Variant{v}, "-bench=.", "-size=100B", "-conc=1", "-workers=1", "-bulk=100B", "-transfers=1")
	flip := fakes.Client{Reply: func(m framework.EchoMessage) framework.EchoMessage {
		if len(m.Msg) > 0 {
			m.Msg[len(m.Msg)/2] ^= 1
		}
		return m
	}}
	tried := map[string]bool{}
	synctest.Test(t, func(t *testing.T) { // a reply that does not come is waited for
		for _, c := range p.Selected() {
			j, err := call.LeafOf(c).Prepare(t.Context(), flip, call.Requests{Workers: 1, Size: c.Size, Chunk: 100})
			require.NoError(t, err, c.Name())
			l := load.OfJob(j, time.Minute)
			var wrong error
			for range call.AckEvery { // calls one way are checked by the next sum
				wrong = cmp.Or(wrong, l.CallOnce(0))
			}
			assert.Error(t, wrong, c.Name())
			tried[c.Benchmark.Name] = true
		}
	})
	assert.Len(t, tried, len(All(new(rig.Settings))), "all of them: %v", tried)
}
