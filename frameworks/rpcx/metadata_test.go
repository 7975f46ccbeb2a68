package rpcx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/passed"
	"github.com/rpcbench/rpcbench/frameworks/rpcx"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// TestMetadataIsWhatTheFramingSays: an entry has two lengths of 4 bytes in front of its name
// and its value, in each call, whether it repeats or not.
func TestMetadataIsWhatTheFramingSays(t *testing.T) {
	v := rpcx.Variants()[0]
	_, plain, err := passed.Calls(t.Context(), v, 2)
	require.NoError(t, err)
	for _, text := range []string{"20", "20-fresh", "3:1KiB-binary"} {
		set, err := metadata.Read(text)
		require.NoError(t, err)
		_, each, err := passed.Calls(t.Context(), v.Layers.With(layer.Stack{Metadata: set}), 2)
		require.NoError(t, err)
		for i, b := range each {
			want := set.Entries * (4 + 4 + set.Entry())
			assert.Equal(t, want, len(b.Sent)-len(plain[i].Sent), "%s, request %d", text, i)
			assert.Equal(t, want, len(b.Received)-len(plain[i].Received), "%s, reply %d", text, i)
		}
	}
}
