package grpc

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/rpcbench/rpcbench/frameworks/internal/passed"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// TestMetadataIsWhatHPACKSays counts the headers of calls with metadata and without.
func TestMetadataIsWhatHPACKSays(t *testing.T) {
	const calls = 3
	sent, received := headers(t, Variants()[0], calls)
	for _, c := range []struct{ about, text string }{
		{"values that repeat are a byte each, once they are in the table", "20"},
		{"values that do not are literals, which go into the table, with names that are there", "20-fresh"},
		{"bytes of any kind are in base64 before they are literals", "2-binary-fresh"},
	} {
		t.Run(c.about, func(t *testing.T) {
			set, err := metadata.Read(c.text)
			require.NoError(t, err)
			withSent, withReceived := headers(t, Variants()[0].Layers.With(layer.Stack{Metadata: set}), calls)
			for i, n := range encoded(set) {
				assert.Equal(t, n, withSent[i]-sent[i], "call %d, request", i)
				// The server has entries in any order. The name of the first may be the last of the
				// call before, whose index has a byte less.
				assert.InDelta(t, n, withReceived[2*i]-received[2*i], 1, "call %d, reply", i)
			}
		})
	}
}

// TestMetadataThatHPACKForgets: the table has 4096 bytes, so that of 20 values of 256 bytes each
// is gone when it comes again.
func TestMetadataThatHPACKForgets(t *testing.T) {
	set := metadata.Set{Entries: 20, Bytes: 256}
	sent, _ := headers(t, Variants()[0].Layers.With(layer.Stack{Metadata: set}), 3)
	assert.Greater(t, sent[1], set.Entries*set.Bytes/2)
	assert.Equal(t, sent[1], sent[2])
}

// headers returns how many bytes the blocks of headers of calls have, in their order: a request
// has one, and a reply has another behind its message.
func headers(t *testing.T, v framework.Variant, calls int) (sent, received []int) {
	first, each, err := passed.Calls(t.Context(), v, calls)
	require.NoError(t, err)
	requests, replies := first.Sent, first.Received
	for _, b := range each {
		requests, replies = append(requests, b.Sent...), append(replies, b.Received...)
	}
	sent, received = blocks(requests[len(http2.ClientPreface):]), blocks(replies)
	require.Len(t, sent, calls)
	require.Len(t, received, 2*calls)
	return sent, received
}

func blocks(frames []byte) (sizes []int) {
	f := http2.NewFramer(nil, bytes.NewReader(frames))
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return sizes
		}
		if h, ok := frame.(*http2.HeadersFrame); ok {
			sizes = append(sizes, len(h.HeaderBlockFragment()))
		}
	}
}

// encoded returns how many bytes the entries of the first two calls have on a connection, by the
// formats of RFC 7541. All are literals with incremental indexing at first: a byte, the name and
// the value. In the second call a field that repeats is an index of a byte (7 bits hold 61 static
// entries and some dozens), and of others the name is one of two bytes, since 6 bits hold none
// but the newest.
func encoded(set metadata.Set) []int {
	calls, first, second := set.Calls(), 0, 0
	for name, value := range calls.Of(0).All() {
		first += 1 + literal(name) + literal(carried(set, value))
	}
	for _, value := range calls.Of(1).All() {
		second++
		if set.Fresh {
			second += 1 + literal(carried(set, value))
		}
	}
	return []int{first, second}
}

// literal is how many bytes a string of fewer than 127 bytes has: its length, and Huffman's
// code unless that is longer.
func literal(s string) int { return 1 + min(len(s), int(hpack.HuffmanEncodeLength(s))) }

// carried is a value as gRPC sends it.
func carried(set metadata.Set, value string) string {
	if set.Binary {
		return base64.RawStdEncoding.EncodeToString([]byte(value))
	}
	return value
}
