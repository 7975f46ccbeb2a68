package rig

import (
	"cmp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Every benchmark that calls Echo compares what came back.
func TestEveryBenchmarkComparesReplies(t *testing.T) {
	v := framework.Variant{Framework: "a", Streams: true, Async: true}
	p := planned(t, []framework.Variant{v}, "-bench=.", "-size=100B", "-conc=1", "-workers=1", "-bulk=100B", "-transfers=1")
	flip := fake{reply: func(m framework.EchoMessage) framework.EchoMessage {
		if len(m.Msg) > 0 {
			m.Msg[len(m.Msg)/2] ^= 1
		}
		return m
	}}
	tried := map[string]bool{}
	synctest.Test(t, func(t *testing.T) { // a reply that does not come is waited for
		for _, c := range p.Selected() {
			j, err := leafOf(c).prepare(t.Context(), flip, requestSpec{workers: 1, size: c.Size, chunk: 100})
			require.NoError(t, err, c.Name())
			l := localOf(j, time.Minute)
			var wrong error
			for range ackEvery { // calls one way are checked by the next sum
				wrong = cmp.Or(wrong, l.makeCall(0))
			}
			assert.Error(t, wrong, c.Name())
			tried[c.Benchmark.Name] = true
		}
	})
	assert.Len(t, tried, len(AllBenchmarks(new(Settings))), "all of them: %v", tried)
}
