package resilience

import (
	"bytes"
	"sync"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// victim is a server in a storm.
type victim struct {
	*host.Host
	printed *transcript
	before  int64 // its peak of memory before the storm, in bytes

	announced string // see framework.Variant
}

// transcript keeps what a server prints.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *transcript) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (c Config) startVictim(t tester.T, v plan.Target) victim {
	out := new(transcript)
	h, err := host.Start(t.Context(), host.Config{Serve: v.ID(), Arg: c.Rig.Order(v.Variant, "", 1), Output: out})
	require.NoError(t, err)
	t.Cleanup(func() { h.Stop() })
	return victim{h, out, peakOf(t, h), v.Announced}
}

func peakOf(t tester.T, h *host.Host) int64 {
	f, err := h.Figures(t.Context())
	require.NoError(t, err, "%v", h.Err())
	return f.PeakRSS
}

// survived asserts that the server still runs and ends in order, that it has not grown,
// and that nothing in it has panicked.
func (v victim) survived(t tester.T) {
	require.NoError(t, v.Err())
	assertSmall(t, peakOf(t, v.Host)-v.before, v.announced)
	assert.NoError(t, v.Stop())
	v.printed.mu.Lock()
	defer v.printed.mu.Unlock()
	assertNoPanic(t, v.printed.text.String())
}
