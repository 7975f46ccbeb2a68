package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// TestCasesOfPushes: they are measured only where the pattern names their mode.
func TestCasesOfPushes(t *testing.T) {
	streams := framework.Variant{Keys: framework.Keys{Framework: "a", Transport: "b", Codec: "c"}, Abilities: framework.Abilities{Streams: true}}
	calls := framework.Variant{Keys: framework.Keys{Framework: "d", Transport: "b", Codec: "c"}}
	for _, c := range []struct {
		about, pattern string
		want           []string
	}{
		{"a stream in a closed loop", "Stream", []string{"size=1KiB/conc=3", "size=1KiB/conc=3/mode=oneway"}},
		{"a key that others have", "Stream/./././././mode=o", []string{"size=1KiB/conc=3/mode=oneway"}},
		{"many messages for a request", "Stream/./././././mode=server", []string{"size=1KiB/conc=3/mode=server/messages=1", "size=1KiB/conc=3/mode=server/messages=50"}},
		{"a message for many", "Stream/./././././mode=fanout", []string{"size=1KiB/conc=3/mode=fanout"}},
		{"streams by a schedule", "Rate/./././streams=", []string{"streams=7/size=1KiB/rate=9", "streams=7/size=1KiB/rate=9/mode=oneway"}},
		{"both by a schedule", "Rate/./././streams=/././mode=(server|fanout)", []string{
			"streams=7/size=1KiB/rate=9/mode=server/messages=1", "streams=7/size=1KiB/rate=9/mode=server/messages=50", "streams=7/size=1KiB/rate=9/mode=fanout",
		}},
		{"no other benchmark has them", "Load/./././streams=/././mode=server", nil},
	} {
		p := planned(t, []framework.Variant{streams, calls}, "-bench="+c.pattern, "-size=1KiB", "-conc=3", "-streams=7", "-rate=9", "-messages=1,50")
		assert.Equal(t, c.want, keys(p), c.about)
	}
}

// TestStreamsOfPushes: one publishes beside the callers, and the time of a line is that of all
// messages.
func TestStreamsOfPushes(t *testing.T) {
	v := framework.Variant{Keys: framework.Keys{Framework: "a"}, Abilities: framework.Abilities{Streams: true}}
	p := planned(t, []framework.Variant{v}, "-bench=Rate/./././streams=/././mode=(server|fanout)", "-size=1KiB", "-streams=7", "-rate=9", "-messages=50")
	var workers, rates []int
	for _, c := range p.Selected() {
		workers, rates = append(workers, c.Workers), append(rates, c.Spec.Rate)
	}
	assert.Equal(t, []int{7, 8}, workers)
	assert.Equal(t, []int{9 * 50, 9 * 7}, rates)
}
