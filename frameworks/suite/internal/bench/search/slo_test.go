package search

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestObjectives(t *testing.T) {
	for text, want := range map[string]slo{
		"p99-5ms":     {"p99-5ms", .99, 5 * time.Millisecond},
		"p99.9-10ms":  {"p99.9-10ms", .999, 10 * time.Millisecond},
		"p50-1m0.5s":  {"p50-1m0.5s", .5, time.Minute + time.Second/2},
		"99-5ms":      {},
		"p-5ms":       {},
		"p99-0ms":     {},
		"p99--5ms":    {},
		"p99-5":       {},
		"p1e2-5ms":    {},
		"p99-5ms-5ms": {},
		"":            {},
	} {
		got, err := readSLO(text)
		if want == (slo{}) {
			assert.ErrorContains(t, err, "is no objective such as p99-5ms", text)
			continue
		}
		require.NoError(t, err)
		assert.InDelta(t, want.quantile, got.quantile, 1e-9)
		assert.Equal(t, want.name, got.name)
		assert.Equal(t, want.latency, got.latency)
	}
}
