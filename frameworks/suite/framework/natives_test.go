package framework

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNativesFollowTheirRequests(t *testing.T) {
	requests := []EchoMessage{{Msg: []byte("a")}, {}}
	n := NewNatives(requests, func(m EchoMessage) *EchoMessage { return &m })
	first := n.Of(0)
	requests[0].Msg[0] = 'b'
	assert.Same(t, first, n.Of(0))
	assert.Equal(t, "b", string(first.Msg), "they share memory")
	requests[0].Msg = []byte("c")
	assert.Equal(t, "c", string(n.Of(0).Msg))
	assert.Equal(t, "b", string(first.Msg), "the old one stays")
	requests[0].Msg = requests[0].Msg[:0]
	assert.Empty(t, n.Of(0).Msg, "the same memory in another length")
	assert.Empty(t, n.Of(1).Msg)
}
