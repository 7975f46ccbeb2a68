package selftest

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCeiling(t *testing.T) {
	c, err := Run(t.Context())
	require.NoError(t, err)
	assert.Positive(t, c.CallCost)
	assert.Greater(t, c.Rate, 1e4, "a bound that only a broken generator misses")
	assert.Len(t, c.Paced, 6)
	assert.Len(t, strings.Split(strings.TrimSpace(c.String()), "\n"), 7)
}

func TestACancelledSelfTestSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Run(ctx)
	assert.ErrorIs(t, err, context.Canceled)
}
