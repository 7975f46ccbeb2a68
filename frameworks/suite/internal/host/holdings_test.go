package host

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
)

func TestHoldings(t *testing.T) {
	h := launch(t, Config{Serve: "echo"})
	before, err := h.Holdings(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "keep 8000", ask(t, h, "keep 8000"))
	after, err := h.Holdings(t.Context())
	require.NoError(t, err)
	assert.InEpsilon(t, 8000<<10, after.Heap-before.Heap, .02, "garbage is not counted")
	assert.Positive(t, before.Goroutines)
	if before.RSS > 0 {
		const shadowed = 6 // by the race detector, with memory of its own for that of Go
		assert.InDelta(t, (1+shadowed)*8000<<9, after.RSS-before.RSS, shadowed*8000<<9)
		assert.Positive(t, before.Files)
	}
	h.Kill()
	_, err = h.Holdings(t.Context())
	assert.ErrorContains(t, err, "host: holdings of echo: ")
}

func TestAddrs(t *testing.T) {
	one := launch(t, Config{Serve: "echo"})
	assert.Equal(t, []string{one.Addr()}, one.Addrs())
	three := launch(t, Config{Serve: "many", Addrs: 3})
	assert.Equal(t, []string{three.Addr(), "of 3"}, three.Addrs())
}

// Hold is for who has not started the process.
func TestHold(t *testing.T) {
	h := launch(t, Config{Serve: "echo"})
	release, err := process.Hold(h.Ready().PID)
	require.NoError(t, err)
	answered := make(chan string, 1)
	go func() { answered <- ask(t, h, "hello") }()
	select {
	case <-answered:
		assert.Fail(t, "it answers while it is held")
	case <-time.After(100 * time.Millisecond):
	}
	require.NoError(t, release())
	assert.Equal(t, "hello", <-answered)
}
