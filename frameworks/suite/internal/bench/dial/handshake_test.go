package dial

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

func TestHandshakesAreThoseOfTheName(t *testing.T) {
	percent := func(v float64) []loadbench.Metric { return []loadbench.Metric{{Value: v, Unit: "resumed-%"}} }
	for _, c := range []struct {
		about      string
		kind       handshake
		handshakes handshakes
		metrics    []loadbench.Metric
		doubts     []string
	}{
		{"without TLS there is none", "", handshakes{}, nil, nil},
		{"all full", fullHandshake, handshakes{10, 0}, percent(0), nil},
		{"all resumed", resumedHandshake, handshakes{0, 10}, percent(100), nil},
		{"clients may open several connections", fullHandshake, handshakes{30, 0}, percent(0), nil},
		{"a library that keeps sessions of its own", fullHandshake, handshakes{5, 5}, percent(50), []string{"5 of 10 handshakes were resumed"}},
		{"a library that resumes none", resumedHandshake, handshakes{10, 0}, percent(0), []string{"no handshake was resumed: the figures are those of full ones"}},
		{"one that resumes some", resumedHandshake, handshakes{1, 9}, percent(90), []string{"1 of 10 handshakes were full"}},
		{"one that shares connections", resumedHandshake, handshakes{0, 4}, percent(100), []string{"4 handshakes were counted of 10 new clients: connections may be shared"}},
		{"an adapter that does not count", fullHandshake, handshakes{}, nil, []string{"0 handshakes were counted of 10 new clients: connections may be shared"}},
	} {
		assert.Equal(t, c.metrics, c.handshakes.metrics(c.kind), c.about)
		assert.Equal(t, c.doubts, c.handshakes.doubts(c.kind, 10), c.about)
	}
	assert.Nil(t, handshake("").watch())
	assert.Zero(t, handshakesOf(nil))
	assert.Nil(t, fullHandshake.watch().Sessions)
	assert.NotNil(t, resumedHandshake.watch().Sessions)
	assert.Equal(t, handshakes{2, 3}, handshakes{5, 7}.since(handshakes{3, 4}))
}
