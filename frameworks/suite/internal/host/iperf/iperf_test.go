package iperf

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	if !Installed() {
		t.Skip("iperf3 is not installed")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	const sent = 256 << 20
	r, err := Run(ctx, Config{Bytes: sent, Write: 64 << 10, Conns: 2})
	require.NoError(t, err)
	assert.Greater(t, r.Bytes, sent/2., "the kernel may hold tens of megabytes that a busy server has not read")
	assert.Positive(t, r.Elapsed)
	assert.LessOrEqual(t, r.ClientCPU, 2*r.Elapsed)
}

// TestOmit: what was sent before is neither in the bytes nor in the time.
func TestOmit(t *testing.T) {
	if !Installed() {
		t.Skip("iperf3 is not installed")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	started := time.Now()
	r, err := Run(ctx, Config{Bytes: 8 << 20, Write: 64 << 10, Conns: 2, Omit: time.Second})
	require.NoError(t, err)
	assert.Greater(t, time.Since(started), time.Second)
	assert.Less(t, r.Bytes, 64e6, "loopback carries hundreds of megabytes in a second, and the kernel holds tens")
	assert.Less(t, r.Elapsed, time.Since(started)-time.Second/2, "both sides have a clock and a second of their own")
}

func TestRunEndsWithItsContext(t *testing.T) {
	if !Installed() {
		t.Skip("iperf3 is not installed")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := Run(ctx, Config{Bytes: 1 << 50, Write: MaxWrite, Conns: 1})
	assert.Error(t, err)
}
