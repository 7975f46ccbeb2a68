package kitex

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/passed"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// TestMetadataIsWhatTTHeaderSays: an entry has two lengths of 2 bytes in front of its name and
// its value, in each call, whether it repeats or not. In a request its name has a prefix of
// metainfo's.
func TestMetadataIsWhatTTHeaderSays(t *testing.T) {
	v := Variants()[0]
	one := metadata.Set{Entries: 1, Bytes: metadata.DefaultBytes}
	_, few, err := passed.Calls(t.Context(), v.Layers.With(layer.Stack{Metadata: one}), 2)
	require.NoError(t, err)
	for _, text := range []string{"21", "21-fresh", "5:1KiB-binary"} {
		set, err := metadata.Read(text)
		require.NoError(t, err)
		_, each, err := passed.Calls(t.Context(), v.Layers.With(layer.Stack{Metadata: set}), 2)
		require.NoError(t, err)
		for i, b := range each {
			size := func(s metadata.Set, prefix string) int { return s.Entries * (2 + len(prefix) + 2 + s.Entry()) }
			assert.Equal(t, size(set, "RPC_TRANSIT_")-size(one, "RPC_TRANSIT_"), header(t, b.Sent)-header(t, few[i].Sent), "%s, request %d", text, i)
			assert.Equal(t, size(set, "")-size(one, ""), header(t, b.Received)-header(t, few[i].Received), "%s, reply %d", text, i)
		}
	}
}

// header is how many bytes the header of a TTHeader message has.
func header(t *testing.T, message []byte) int {
	require.Greater(t, len(message), 14)
	return 4 * int(binary.BigEndian.Uint16(message[12:14]))
}
